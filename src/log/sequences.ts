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

const sgr = '\\[[0-9;:]{0,64}m';
const mark = `_bk;${body}${end}`;
const link = `\\]8;${body}${end}`;

/** Strings that put something on the page: pictures and links of the log's own kind. */
const shown = '133[789];';

/** `[` sequences that move nothing and erase nothing where the cursor is at the end of all text. */
const control = [
  '\\[[<-?][0-?]{0,63}[ -/]{0,4}[@-~]',
  '\\[[0-;]{0,64}[ -/]{1,4}[@-~]',
  '\\[[0-;]{0,64}[ILMNOQ-WYZ\\[\\\\\\]^_bcg-rtv-z{|}~]',
  '\\[0?[JK]',
].join('|');
const string = `[P_^X]${body}${end}|\\](?!${shown})${body}${end}`;
const short = '[ -/]{1,4}[0-~]|[0-69:;<=>?@A-CF-LNOQ-WYZ`-~]';

const anySimple = `(?:${control}|${string}|${short})`;
/** Ends a string; alone it means nothing. */
const stringEnd = '\\\\';

/** All sequences that can be taken out of a line without a look at the cursor. */
export const simple = new RegExp(`\\x1b(?:${anySimple}|${stringEnd})`, 'g');

/** Takes out those of them that are not kept. */
export function takeUnwanted({ colours = false, marks = false, links = false }: Keep) {
  const kept = [colours && sgr, marks && mark, links && link].filter((one) => one !== false);
  if (kept.length === 0) return (lines: string): string => lines.replace(simple, '');
  const unwanted = new RegExp(`\\x1b(?!${kept.join('|')})${anySimple}`, 'g');
  const strayEnd = new RegExp(`(\\x1b(?:${kept.join('|')}))|\\x1b${stringEnd}`, 'g');
  return (lines: string): string => {
    const left = lines.replace(unwanted, '');
    return left.includes('\x1b\\') ? left.replace(strayEnd, '$1') : left;
  };
}

/**
 * Any one sequence, for reading them one by one. Groups: 1 parameters, 2 intermediates, 3 final of
 * a `[` sequence; 4 introducer, 5 body of a string; 6 final of a short one.
 */
export const anySequence = new RegExp(
  `\\x1b(?:\\[([0-?]{0,64})([ -/]{0,4})([@-~])|([\\]P_^X])(${body})${end}|[ -/]{1,4}[0-~]|([0-OQ-WYZ\\\\\`-~]))`,
  'y',
);

/** What is left out of a sequence that is not finished; the rest of it is shown. */
export const unfinished = /\x1b(?:\[[0-?]{0,64}[ -/]{0,4}|[\]P_^X]|[ -/]{1,4})?/y;
