import type { Stage } from './stage.ts';
import { mapLines } from './text.ts';

export interface Style {
  /**
   * SGR parameters, in canonical form, that change the default style to this one (empty if equal)
   */
  readonly sgr: string;
  readonly on: readonly number[];
  /** `31`, `97`, `38;5;208`, `38;2;1;2;3`, or empty. */
  readonly foreground: string;
  readonly background: string;
}

export const plain: Style = { sgr: '', on: [], foreground: '', background: '' };

const turnsOff: Readonly<Record<number, readonly number[]>> = {
  21: [1, 2],
  22: [1, 2],
  23: [3],
  24: [4],
  25: [5, 6],
  27: [7],
  28: [8],
  29: [9],
  55: [53],
};

/** The style after an SGR sequence, given the text between `ESC[` and `m`. */
export function restyle(style: Style, parameters: string): Style {
  const key = `${style.sgr}|${parameters}`;
  const cached = results.get(key);
  if (cached !== undefined) return cached;
  const result = finish(apply(style, parameters));
  if (parameters.length > longestCached) return result;
  if (results.size >= 4096) results.clear();
  results.set(key, result);
  return result;
}

const results = new Map<string, Style>();
const longestCached = 256;

type Draft = { -readonly [K in 'on' | 'foreground' | 'background']: Style[K] };

function apply(style: Style, parameters: string): Draft {
  const draft: Draft = { ...style };
  const codes = parameters.split(';');
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? '';
    const first = Number(code.split(':', 1)[0]);
    if (!isColour(first)) setAttribute(draft, first, code);
    else if (code.includes(':')) setColour(draft, first, colonParts(code));
    else at += setColour(draft, first, codes.slice(at + 1, at + 5).map(Number));
  }
  return draft;
}

/** Codes of the foreground, the background and the underline color (parsed but ignored). */
const isColour = (code: number): boolean => code === 38 || code === 48 || code === 58;

/** Parses `38:2:R:G:B`, or `38:2::R:G:B`, which leaves the color space empty. */
function colonParts(code: string): number[] {
  const parts = code.split(':').slice(1).map(Number);
  return parts[0] === 2 && parts.length > 4 ? [2, ...parts.slice(2)] : parts;
}

function setAttribute(draft: Draft, code: number, text: string): void {
  if (code === 0) Object.assign(draft, plain);
  else if (text === '4:0') draft.on = without(draft.on, [4]);
  else if ((code >= 1 && code <= 9) || code === 53) draft.on = withCode(draft.on, code);
  else if (turnsOff[code] !== undefined) draft.on = without(draft.on, turnsOff[code]);
  else if (code === 39) draft.foreground = '';
  else if (code === 49) draft.background = '';
  else if (isIndexed(code, 30, 90)) draft.foreground = String(code);
  else if (isIndexed(code, 40, 100)) draft.background = String(code);
}

const isIndexed = (code: number, normal: number, bright: number): boolean =>
  (code >= normal && code <= normal + 7) || (code >= bright && code <= bright + 7);

const without = (on: readonly number[], codes: readonly number[]): number[] =>
  on.filter((code) => !codes.includes(code));

const withCode = (on: readonly number[], code: number): number[] =>
  [...without(on, [code]), code].sort((a, b) => a - b);

/** Sets a 256-color or true-color value. Returns how many codes it consumed. */
function setColour(draft: Draft, code: number, [kind, ...values]: readonly number[]): number {
  const count = kind === 5 ? 1 : kind === 2 ? 3 : 0;
  const taken = values.slice(0, count);
  const valid =
    taken.length === count && taken.every((n) => Number.isInteger(n) && n >= 0 && n <= 255);
  if (count > 0 && valid) {
    const colour = [code, kind, ...taken].join(';');
    if (code === 38) draft.foreground = colour;
    if (code === 48) draft.background = colour;
  }
  return count + 1;
}

function finish(draft: Draft): Style {
  const { on, foreground, background } = draft;
  const sgr = [...on, foreground, background].filter((code) => code !== '').join(';');
  if (sgr === '') return plain;
  return { sgr, on, foreground, background };
}

export function transition(from: Style, to: Style): string {
  if (from.sgr === to.sgr) return '';
  if (to.sgr === '') return '\x1b[0m';
  return from.sgr === '' ? `\x1b[${to.sgr}m` : `\x1b[0;${to.sgr}m`;
}

export function styleAfter(style: Style, lines: string): Style {
  if (!lines.includes('\x1b[')) return style;
  const last = lines.lastIndexOf('\x1b[');
  if (lines.startsWith('\x1b[0m', last) || lines.startsWith('\x1b[m', last)) return plain;
  for (let at = lines.indexOf('\x1b['); at >= 0; at = lines.indexOf('\x1b[', at)) {
    const from = at + 2;
    let key = firstKey;
    let code = lines.charCodeAt((at = from));
    for (; code >= 0x30 && code <= 0x3b; code = lines.charCodeAt(++at)) key = nextKey(key, code);
    if (code !== 0x6d) continue;
    style = recall(style, key, at - from) ?? learn(style, key, lines.slice(from, at));
  }
  return style;
}

/** Encodes up to eight parameter bytes as an integer, so that no string has to be created. */
export const firstKey = 1;
export const nextKey = (key: number, byte: number): number => Math.imul(key, 12) + byte - 0x30;
const longestKey = 8;

/** The result of `learn` for the same style and the same `length` bytes, if it is still known. */
export function recall(style: Style, key: number, length: number): Style | undefined {
  const slot = slotOf(style, key);
  const isKnown = length <= longestKey && keys[slot] === key && befores[slot] === style;
  return isKnown ? afters[slot] : undefined;
}

export function learn(style: Style, key: number, parameters: string): Style {
  const after = restyle(style, parameters);
  if (parameters.length > longestKey) return after;
  const slot = slotOf(style, key);
  [keys[slot], befores[slot], afters[slot]] = [key, style, after];
  return after;
}

/** Includes the last digit of the style: most sequences that end a color follow several colors. */
const slotOf = ({ sgr }: Style, key: number): number =>
  Math.imul(key + (sgr.charCodeAt(sgr.length - 1) << 20), 0x9e3779b1) >>> 22;
const keys = new Int32Array(1024);
const befores = Array<Style>(1024).fill(plain);
const afters = Array<Style>(1024).fill(plain);

/** Makes each line independent: it begins by setting its style and ends by resetting it. */
export function standalone(): Stage {
  let style: Style = plain;
  return { push: (lines) => mapLines(lines, mapLine), end: () => '' };

  function mapLine(line: string): string {
    const before = style;
    style = styleAfter(style, line);
    if (before === style && before.sgr === '') return line;
    const end = line.endsWith('\n') ? '\n' : '';
    const text = line.slice(0, line.length - end.length);
    return transition(plain, before) + text + transition(style, plain) + end;
  }
}

/** Resets the style on the last line with text. A later reset would be on a line of its own. */
export function closeStyleInLine(): Stage {
  /** The style before `rest`, which is a newline followed only by newlines and styles. */
  let style: Style = plain;
  let rest = '';
  return {
    push(lines) {
      const all = rest + lines;
      const start = startOfRest(all);
      const shown = all.slice(0, start);
      rest = all.slice(start);
      style = styleAfter(style, shown);
      return shown;
    },
    end: () => transition(style, plain) + rest.replace(/[^\n]/g, ''),
  };
}

/** In bytes. Limits memory if a log ends with many blank lines. */
const longestRest = 64 * 1024;

function startOfRest(lines: string): number {
  let at = lines.length;
  while (at > 0) {
    const before = lines[at - 1] === '\n' ? at - 1 : startOfStyle(lines, at);
    if (before < 0) break;
    at = before;
  }
  const newline = lines.indexOf('\n', Math.max(at, lines.length - longestRest));
  return newline < 0 ? lines.length : newline;
}

function startOfStyle(lines: string, end: number): number {
  if (lines[end - 1] !== 'm') return -1;
  const start = lines.lastIndexOf('\x1b[', end - 1);
  return start >= 0 && /^\x1b\[[\d;:]*m$/.test(lines.slice(start, end)) ? start : -1;
}
