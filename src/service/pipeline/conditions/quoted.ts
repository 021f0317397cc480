/** Texts in quotes, and the variables in them. */
import { ConditionError } from './condition-error.ts';
import type { TextPart } from './tree.ts';

const variable = /\$(?:[A-Za-z_][A-Za-z0-9_]*|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})/y;

/** The index after the `$X` or `${…}` at `index`; undefined where there is none. */
export function variableAt(source: string, index: number): number | undefined {
  variable.lastIndex = index;
  const found = variable.exec(source);
  return found === null ? undefined : index + found[0].length;
}

const escapes: Readonly<Record<string, string>> = {
  ...{ n: '\n', s: ' ', r: '\r', t: '\t', v: '\v', f: '\f', b: '\b', a: '\x07', e: '\x1b' },
};

/** Reads the text whose quote stands at `start`: `'…'` as it is, `"…"` with escapes and variables. */
export function readQuoted(
  source: string,
  start: number,
): { readonly parts: TextPart[]; readonly end: number } {
  const quote = source[start];
  const parts: TextPart[] = [];
  let text = '';
  let index = start + 1;
  while (index < source.length && source[index] !== quote) {
    const end = quote === '"' ? variableAt(source, index) : undefined;
    if (end === undefined) {
      const [piece, length] = pieceAt(source, index, quote === '"');
      text += piece;
      index += length;
    } else {
      parts.push({ text }, { variable: source.slice(index, end) });
      text = '';
      index = end;
    }
  }
  if (index >= source.length) throw new ConditionError('the text has no closing quote', start + 1);
  return { parts: [...parts, { text }], end: index + 1 };
}

/** What stands there, and how many characters it takes. */
function pieceAt(source: string, index: number, isDouble: boolean): [string, number] {
  const char = source[index] ?? '';
  if (isDouble && source.startsWith('$$', index)) return ['$', 2];
  if (char !== '\\') return [char, 1];
  const next = source[index + 1] ?? '';
  if (!isDouble) return next === '\\' || next === "'" ? [next, 2] : [char, 1];
  const code = /^\\(?:x([0-9a-f]{2})|([0-3]?[0-7]{1,2}))/i.exec(source.slice(index, index + 4));
  if (code !== null) {
    const [all, hex, octal = ''] = code;
    const value = hex === undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex, 16);
    return [String.fromCharCode(value), all.length];
  }
  return [Object.hasOwn(escapes, next) ? (escapes[next] ?? next) : next, 2];
}
