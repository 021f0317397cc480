import { dropHidden } from '../common/untrusted-text.ts';
import { sequences } from './sequences.ts';
import { toText } from './text.ts';

export type Marker = '---' | '~~~' | '+++';

export interface Header {
  readonly marker: Marker;
  readonly name: string;
}

const longestHeader = 499;

export function readHeader(line: string): Header | undefined {
  if (!mayBeMarker(line)) return undefined;
  const text = visible(line);
  const match = /^(---|~~~|\+\+\+)[ \t](.*)$/s.exec(text);
  if (!match || Array.from(text).length > longestHeader) return undefined;
  return { marker: match[1] as Marker, name: dropHidden(match[2] ?? '').trim() };
}

export const opensSection = (line: string): boolean =>
  mayBeMarker(line) && /^\^\^\^[ \t]\+\+\+[ \t]*$/.test(visible(line));

/** The text of a line without its newline and escape sequences. */
export const visible = (line: string): string =>
  toText(line.includes('\x1b') ? line.replace(sequences, '') : line).replace(/\r*\n$/, '');

const first = /^(?:\x1b(?:\[[^@-~]*[@-~]|[P\]^_X][^\x07\x1b]*(?:\x07|\x1b\\)))*[-~+^]/;

/** Only checks the first character, which is enough to exclude nearly all lines. */
function mayBeMarker(line: string): boolean {
  const code = line.charCodeAt(0);
  if (code === 0x1b) return first.test(line);
  return code === 0x2d || code === 0x7e || code === 0x2b || code === 0x5e;
}

/** Agents run these hooks after the command. Their sections may have any name. */
export const isHookAfter = ({ name }: Pick<Header, 'name'>): boolean =>
  /^Running (?:.+ )?(?:post-command|pre-artifact|post-artifact|pre-exit) hook\b/i.test(name);

export const isUpload = ({ marker, name }: Header): boolean =>
  marker === '~~~' && /^Uploading artifacts\b/i.test(name);
