/**
 * The escape sequences of ECMA-48 as patterns. They hold for byte strings and for text alike, since
 * all their characters are ASCII but for the bodies of strings.
 *
 * A sequence never reaches over the end of its line, so an unfinished one cannot swallow the log.
 */

/** What a stage keeps of a log beside its characters. */
export interface Keep {
  /** SGR: colours and weights. */
  readonly colours?: boolean;
  /** Time marks. */
  readonly marks?: boolean;
  /** OSC 8 links. */
  readonly links?: boolean;
}

const body = '[^\\x07\\x18\\x1a\\x1b\\n]*';
const end = '(?:\\x07|\\x1b\\\\)';

/** All whole sequences, for lines that are settled or are not going to be. */
export const sequences = new RegExp(
  `\\x1b(?:\\[[0-?]*[ -/]*[@-~]|[\\]P_^X]${body}${end}|[ -/]+[0-~]|[0-OQ-WYZ\\\\\`-~])`,
  'g',
);
