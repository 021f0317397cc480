import { dropHidden } from '../common/untrusted-text.ts';
import { moveByControl, moveByShort } from './cursor-commands.ts';
import { readEmbeddedMedia } from './embedded-media.ts';
import { plainCell } from './row.ts';
import { cursorRow, type Screen } from './screen.ts';
import { endOfString, isString } from './strippable.ts';
import { restyle } from './style.ts';
import { toText } from './text.ts';
import { writePicture, writeText } from './write.ts';

/** The sequence that begins with the ESC at `at`. Returns where the text goes on. */
export function interpretSequence(
  screen: Screen,
  bytes: Buffer,
  at: number,
  lineEnd: number,
): number {
  const second = at + 1 < lineEnd ? (bytes[at + 1] as number) : 0;
  if (second === 0x5b) return interpretControlSequence(screen, bytes, at + 2, lineEnd);
  if (isString(second)) return interpretString(screen, bytes, at + 1, lineEnd);
  if (second >= 0x20 && second < 0x30) return endOfSelection(bytes, at + 1, lineEnd);
  // What is no sequence, or one that another ESC breaks off, begins after the first ESC.
  if (second < 0x30 || second >= 0x7f) return at + 1;
  moveByShort(screen, second);
  return at + 2;
}

/** What is behind `ESC [`: parameters, intermediates, a final byte. What is unfinished is left out. */
function interpretControlSequence(
  screen: Screen,
  bytes: Buffer,
  from: number,
  lineEnd: number,
): number {
  const middle = skip(bytes, from, lineEnd, 0x30, 0x3f);
  const last = skip(bytes, middle, lineEnd, 0x20, 0x2f);
  const final = last < lineEnd ? (bytes[last] as number) : 0;
  if (final < 0x40 || final > 0x7e) return last;
  if (final === 0x6d) {
    if (screen.isStyled && last === middle)
      setStyle(screen, bytes.toString('latin1', from, middle));
  } else if (last === middle) moveByControl(screen, final, bytes, { from, to: middle });
  return last + 1;
}

/** `ESC ( B` and the like show nothing. */
function endOfSelection(bytes: Buffer, from: number, lineEnd: number): number {
  const last = skip(bytes, from, lineEnd, 0x20, 0x2f);
  const final = last < lineEnd ? (bytes[last] as number) : 0;
  return final >= 0x30 && final <= 0x7e ? last + 1 : last;
}

function skip(bytes: Uint8Array, from: number, end: number, low: number, high: number): number {
  let at = from;
  while (at < end && (bytes[at] as number) >= low && (bytes[at] as number) <= high) at++;
  return at;
}

function setStyle(screen: Screen, parameters: string): void {
  if (!/^[0-9;:]*$/.test(parameters)) return;
  const { style, link } = screen.cellStyle;
  const next = restyle(style, parameters);
  if (next !== style) screen.cellStyle = { style: next, link };
}

/** A string from its introducer on; of one that is unfinished, the introducer alone is left out. */
function interpretString(
  screen: Screen,
  bytes: Buffer,
  introducer: number,
  lineEnd: number,
): number {
  const end = endOfString(bytes, introducer, lineEnd);
  if (end < 0) return introducer + 1;
  const kind = bytes[introducer];
  if (kind === 0x5f && !screen.hasMarks) return end;
  if (kind !== 0x5f && kind !== 0x5d) return end;
  const terminator = bytes[end - 1] === 0x07 ? 1 : 2;
  const body = bytes.toString('latin1', introducer + 1, end - terminator);
  if (kind === 0x5d) interpretCommand(screen, body);
  else if (body.startsWith('bk;')) addMark(screen, `\x1b_${body}\x07`);
  return end;
}

/** A row that is there gets it at once: the line is marked where the mark is. */
function addMark(screen: Screen, mark: string): void {
  screen.pendingMarks.push(mark);
  if (screen.rows[screen.y]?.isVirtual === false) cursorRow(screen);
  else if (screen.pendingMarks.length > 50) screen.pendingMarks.splice(1, 1);
}

/** An operating system command: links and pictures. */
function interpretCommand(screen: Screen, body: string): void {
  const { style } = screen.cellStyle;
  if (body.startsWith('8;')) {
    const link = bareAddress(toText(body.slice(body.indexOf(';', 2) + 1)));
    screen.cellStyle = { style, link };
    return;
  }
  const media = readEmbeddedMedia(toText(body));
  if (media === undefined) return;
  const text = dropHidden(media.text.replace(/[\x00-\x1f\x7f-\x9f]/g, ''));
  const write = media.isPicture ? writePicture : writeText;
  write(screen, text, { style, link: bareAddress(media.link) });
}

const bareAddress = (address: string): string =>
  dropHidden(address.replace(/[\x00-\x20\x7f-\x9f]/g, ''));

/** A link ends with its line. */
export function endLink(screen: Screen): void {
  if (screen.cellStyle.link === '') return;
  screen.cellStyle = { ...plainCell, style: screen.cellStyle.style };
}
