import { columns, plainCell, type CellStyle } from './row.ts';
import { keepMark, moveTo, newline, type Screen } from './screen.ts';
import { writeAscii, writeCharacter, writeTab, writePicture, writeText } from './write.ts';
import { dropHidden } from '../../common/untrusted-text.ts';
import { moveByControl, moveByShort } from './cursor-commands.ts';
import { endOfString, isString, skip } from '../sequences.ts';
import { firstKey, learn, nextKey, recall, type Style } from '../style.ts';
import { toText } from '../text.ts';

/** Bytes, and the same bytes as a string: taking a substring is faster than decoding bytes. */
export interface Lines {
  readonly bytes: Buffer;
  readonly text: string;
}

/** Applies text to the screen. It must be valid UTF-8 without incomplete escape sequences. */
export function interpret(screen: Screen, lines: Lines, start: number, end: number): void {
  const { bytes } = lines;
  for (let at = start; at < end;) {
    const byte = bytes[at] as number;
    if (byte >= 0x20 && byte < 0x7f) {
      const from = at;
      do at += 1;
      while (at < end && (bytes[at] as number) >= 0x20 && (bytes[at] as number) < 0x7f);
      writeAscii(screen, bytes, from, at);
    } else if (byte === 0x1b) at = interpretSequence(screen, lines, at, end);
    else if (byte < 0x80) {
      interpretControl(screen, byte);
      at += 1;
    } else {
      const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      const code = codePoint(bytes, at, size);
      // C1 controls are dropped, like DEL and most ASCII controls.
      if (code >= 0xa0) writeCharacter(screen, code);
      at += size;
    }
  }
}

function interpretControl(screen: Screen, byte: number): void {
  if (byte === 0x0a) newline(screen);
  else if (byte === 0x0d) screen.x = 0;
  else if (byte === 0x08) moveTo(screen, Math.min(screen.x, columns - 1) - 1);
  else if (byte === 0x09) writeTab(screen);
}

function codePoint(bytes: Uint8Array, at: number, size: number): number {
  let code = (bytes[at] as number) & (0xff >> (size + 1));
  for (let next = at + 1; next < at + size; next++) {
    code = (code << 6) | ((bytes[next] as number) & 0x3f);
  }
  return code;
}

function interpretSequence(screen: Screen, lines: Lines, at: number, lineEnd: number): number {
  const { bytes } = lines;
  const second = at + 1 < lineEnd ? (bytes[at + 1] as number) : 0;
  if (second === 0x5b) return interpretControlSequence(screen, lines, at + 2, lineEnd);
  if (isString(second)) return interpretString(screen, lines, at + 1, lineEnd);
  if (second >= 0x20 && second < 0x30) return endOfSelection(bytes, at + 1, lineEnd);
  // This is not a sequence, or another ESC interrupts it. Only the ESC is dropped.
  if (second < 0x30 || second >= 0x7f) return at + 1;
  moveByShort(screen, second);
  return at + 2;
}

/** Parameters, intermediates and a final byte after `ESC [`. Incomplete sequences are dropped. */
function interpretControlSequence(
  screen: Screen,
  lines: Lines,
  from: number,
  lineEnd: number,
): number {
  const { bytes } = lines;
  const middle = skip(bytes, from, lineEnd, 0x30, 0x3f);
  const last = skip(bytes, middle, lineEnd, 0x20, 0x2f);
  const final = last < lineEnd ? (bytes[last] as number) : 0;
  if (final < 0x40 || final > 0x7e) return last;
  if (final === 0x6d) {
    if (screen.isStyled && last === middle) setStyle(screen, lines, from, middle);
  } else if (last === middle) moveByControl(screen, final, bytes, { from, to: middle });
  return last + 1;
}

function endOfSelection(bytes: Buffer, from: number, lineEnd: number): number {
  const last = skip(bytes, from, lineEnd, 0x20, 0x2f);
  const final = last < lineEnd ? (bytes[last] as number) : 0;
  return final >= 0x30 && final <= 0x7e ? last + 1 : last;
}

function setStyle(screen: Screen, { bytes, text }: Lines, from: number, to: number): void {
  let key = firstKey;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    if (byte > 0x3b) return;
    key = nextKey(key, byte);
  }
  const { style, link } = screen.cellStyle;
  const next = recall(style, key, to - from) ?? learn(style, key, text.slice(from, to));
  if (next !== style) screen.cellStyle = link === '' ? withoutLink(next) : { style: next, link };
}

/** Shares objects, because it is slow to fill long-lived rows with new ones. */
function withoutLink(style: Style): CellStyle {
  const known = shared.get(style);
  if (known !== undefined) return known;
  const cellStyle = { style, link: '' };
  if (shared.size >= mostShared) shared.clear();
  shared.set(style, cellStyle);
  return cellStyle;
}

const shared = new Map<Style, CellStyle>();
const mostShared = 4096;

/** Parses a string from its introducer. If the string is incomplete, drops only the introducer. */
function interpretString(
  screen: Screen,
  { bytes, text }: Lines,
  introducer: number,
  lineEnd: number,
): number {
  const end = endOfString(bytes, introducer, lineEnd);
  if (end < 0) return introducer + 1;
  const kind = bytes[introducer];
  if (kind !== 0x5d && (kind !== 0x5f || !screen.hasMarks)) return end;
  const hasBell = bytes[end - 1] === 0x07;
  const bodyEnd = end - (hasBell ? 1 : 2);
  if (kind === 0x5d) interpretCommand(screen, text.slice(introducer + 1, bodyEnd));
  else if (text.startsWith('bk;', introducer + 1))
    addMark(
      screen,
      hasBell ? text.slice(introducer - 1, end) : `${text.slice(introducer - 1, bodyEnd)}\x07`,
    );
  return end;
}

/** An existing row gets the mark immediately, because the mark belongs to the row's line. */
function addMark({ rows, y, pendingMarks }: Screen, mark: string): void {
  const row = rows[y];
  if (row?.isVirtual !== false) {
    pendingMarks.push(mark);
    if (pendingMarks.length > 50) pendingMarks.splice(1, 1);
    return;
  }
  for (const pending of pendingMarks.splice(0)) keepMark(row, pending);
  keepMark(row, mark);
}

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

export function endLink(screen: Screen): void {
  if (screen.cellStyle.link === '') return;
  screen.cellStyle = { ...plainCell, style: screen.cellStyle.style };
}

/** OSC 1337 and 1338 are images, 1339 is a link. Loads no images and does not validate `link`. */
function readEmbeddedMedia(body: string) {
  const semicolon = body.indexOf(';');
  const kind = body.slice(0, semicolon);
  const rest = body.slice(semicolon + 1);
  if (kind === '1337') {
    // Matches `File=name=BASE64;inline=1:DATA`. Other uses of OSC 1337 show nothing.
    const file = /^File=([^:]*)/.exec(rest)?.[1];
    if (file === undefined) return undefined;
    const name = Buffer.from(readPairs(file)['name'] ?? '', 'base64').toString();
    return { isPicture: true, text: name || 'picture', link: '' };
  }
  if (kind !== '1338' && kind !== '1339') return undefined;
  const { url = '', alt, content } = readPairs(rest);
  const isPicture = kind === '1338';
  return { isPicture, text: (isPicture ? alt : content) ?? url, link: url };
}

function readPairs(text: string): Partial<Record<string, string>> {
  const pairs: Partial<Record<string, string>> = Object.create(null) as object;
  for (const [, key = '', single, double, bare] of text.matchAll(pair)) {
    pairs[key] ??= single ?? double ?? bare ?? '';
  }
  return pairs;
}

const pair = /([a-z]+)=(?:'([^']*)'|"([^"]*)"|([^;]*))/g;
