import { readEmbeddedMedia } from './embedded-media.ts';
import { hidden, isHidden } from './hidden.ts';
import { moveByShort, moveBySequence, type Lift } from './cursor-commands.ts';
import { plainCell } from './row.ts';
import { cursorRow, newline, write, type Screen } from './screen.ts';
import { anySequence, unfinished } from './sequences.ts';
import { restyle } from './style.ts';

/** Interprets a text, its sequences included, on the screen. */
export function interpret(screen: Screen, text: string, lift: Lift): void {
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x1b) at = interpretSequence(screen, text, at, lift);
    else if (isControl(code)) interpretControl(screen, text.charAt(at++));
    else at = interpretCharacter(screen, text, at);
  }
}

/** DEL, the C1 controls and hidden characters are dropped like those below the space. */
const isControl = (code: number): boolean =>
  (code < 0x20 && code !== 0x09) || (code >= 0x7f && code < 0xa0) || isHidden(code);

function interpretCharacter(screen: Screen, text: string, at: number): number {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  write(screen, character);
  return at + character.length;
}

function interpretControl(screen: Screen, character: string): void {
  if (character === '\n') newline(screen);
  if (character === '\r') screen.x = 0;
  if (character === '\b') screen.x = Math.max(0, screen.x - 1);
}

/** Returns where the text goes on. */
function interpretSequence(screen: Screen, text: string, at: number, lift: Lift): number {
  anySequence.lastIndex = at;
  const match = anySequence.exec(text);
  if (!match) {
    unfinished.lastIndex = at;
    unfinished.exec(text);
    return unfinished.lastIndex;
  }
  const [, parameters = '', intermediates, final, introducer, body = '', short] = match;
  if (introducer !== undefined) interpretString(screen, introducer, body);
  else if (short !== undefined) moveByShort(screen, short, lift);
  else if (final !== undefined && intermediates === '' && /^[0-9;:]*$/.test(parameters)) {
    if (final === 'm') setStyle(screen, parameters);
    else moveBySequence(screen, final, parameters, lift);
  }
  return at + match[0].length;
}

function setStyle(screen: Screen, parameters: string): void {
  screen.cellStyle = { ...screen.cellStyle, style: restyle(screen.cellStyle.style, parameters) };
}

function interpretString(screen: Screen, introducer: string, body: string): void {
  if (introducer === '_' && body.startsWith('bk;')) addMark(cursorRow(screen).marks, body);
  if (introducer !== ']') return;
  if (body.startsWith('8;')) {
    const link = bareAddress(body.slice(body.indexOf(';', 2) + 1));
    screen.cellStyle = { ...screen.cellStyle, link };
    return;
  }
  const embed = readEmbeddedMedia(body);
  if (embed === undefined) return;
  const { cellStyle } = screen;
  screen.cellStyle = { ...cellStyle, link: bareAddress(embed.link) };
  const text = embed.text.replace(/[\x00-\x1f\x7f-\x9f]/g, '').replace(hidden, '');
  for (const character of text) write(screen, character);
  screen.cellStyle = cellStyle;
}

const bareAddress = (address: string): string =>
  address.replace(/[\x00-\x20\x7f-\x9f]/g, '').replace(hidden, '');

/** Keeps the first mark, the last with a time, and what is counted from that one. */
function addMark(marks: string[], body: string): void {
  if (/;t=/.test(body)) marks.length = Math.min(marks.length, 1);
  if (marks.length < 50) marks.push(`\x1b_${body}\x07`);
}

/** A link ends with its line. */
export const endLink = (screen: Screen): void => {
  screen.cellStyle = { ...plainCell, style: screen.cellStyle.style };
};
