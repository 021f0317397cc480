import { eastAsianWidth } from 'get-east-asian-width';
import {
  combine,
  behind,
  cluster,
  columns,
  putAscii,
  putCharacter,
  type CellStyle,
} from './row.ts';
import { wrap, cursorRow, type Screen } from './screen.ts';

export function writeAscii(screen: Screen, bytes: Uint8Array, from: number, to: number): void {
  partFromPicture(screen, bytes[from] as number);
  for (let at = from; at < to;) {
    if (screen.x >= columns) wrap(screen);
    const end = Math.min(to, at + columns - screen.x);
    putAscii(cursorRow(screen), screen.x, bytes, { from: at, to: end }, screen.cellStyle);
    screen.x += end - at;
    at = end;
  }
}

export function writeCharacter(screen: Screen, code: number): void {
  const width = columnsOf(code);
  if (width === 0) {
    const character = String.fromCodePoint(code);
    if (combine(cursorRow(screen), screen.x, character) || isAlwaysInvisible(character)) return;
  }
  partFromPicture(screen, code);
  putWide(screen, code, Math.max(1, width));
}

/** Whether a character has no width even without a preceding character to combine with. */
const isAlwaysInvisible = (character: string): boolean =>
  /^[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u.test(character);

function putWide(screen: Screen, code: number, width: number): void {
  if (screen.x + width > columns) wrap(screen);
  putCharacter(cursorRow(screen), screen.x, { code, width }, screen.cellStyle);
  screen.x += width;
}

/** Moves to the next multiple of 8. Existing text stays. */
export function writeTab(screen: Screen): void {
  const next = Math.min(columns - 1, (screen.x | 7) + 1);
  if (screen.x >= (screen.rows[screen.y]?.length ?? 0)) {
    if (next > screen.x) putWide(screen, 0x09, next - screen.x);
  } else screen.x = Math.max(screen.x, next);
}

export function repeat(screen: Screen, count: number): void {
  const row = screen.rows[screen.y];
  let at = screen.x - 1;
  if (row === undefined || at < 0 || at >= row.length) return;
  while (at > 0 && row.cells[at] === behind) at -= 1;
  const code = row.cells[at] as number;
  if (code < 0x20 || code >= cluster) return;
  for (let times = Math.min(count, columns); times > 0; times--) writeCharacter(screen, code);
}

export function writeText(screen: Screen, text: string, cellStyle: CellStyle): void {
  const { cellStyle: before } = screen;
  screen.cellStyle = cellStyle;
  for (const character of text) writeCharacter(screen, character.codePointAt(0) ?? 0);
  screen.cellStyle = before;
}

/** Writes the name of an image. Spaces separate it from the text around it. */
export function writePicture(screen: Screen, text: string, cellStyle: CellStyle): void {
  const row = screen.rows[screen.y];
  const before = row !== undefined && screen.x <= row.length ? row.cells[screen.x - 1] : 0x20;
  screen.pictureEnd = -1;
  if (screen.x > 0 && before !== 0x20 && before !== behind) writeCharacter(screen, 0x20);
  writeText(screen, text, cellStyle);
  screen.pictureEnd = screen.x;
}

function partFromPicture(screen: Screen, next: number): void {
  const { pictureEnd } = screen;
  if (pictureEnd < 0) return;
  screen.pictureEnd = -1;
  if (pictureEnd === screen.x && next !== 0x20) putWide(screen, 0x20, 1);
}

/** Returns 0, 1 or 2. Same result as `string-width`, which takes 30 ms to load. */
export function columnsOf(code: number): number {
  if (code < 0x300) return code === 0xad ? 0 : 1;
  if (code >= known.length) return width(code);
  const cached = known[code] as number;
  if (cached > 0) return cached - 1;
  const result = width(code);
  known[code] = result + 1;
  return result;
}

const known = new Uint8Array(0x20000);

const width = (code: number): number =>
  isInvisible(String.fromCodePoint(code)) ? 0 : eastAsianWidth(code);

const isInvisible = (character: string): boolean =>
  /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Cs}]/u.test(character);
