/**
 * The variables in a text of a pipeline file: `$V`, `${V}`, `${V:-default}`, `${V-default}`,
 * `${V?message}`, `${V:offset:length}`; `$$` and `\$` stand for a dollar, `\\` for itself. Any other
 * use of `$` (`$1`, `$_`, `$(date)`) is the shell's, and text.
 */

export type Piece = string | Variable;

/** A use of a variable; `source` is how the text has it. */
export interface Variable {
  readonly name: string;
  readonly source: string;
  readonly form: Form;
}

export type Form =
  | { readonly kind: 'plain' }
  /** `orEmpty`: an empty variable counts as one that is not set. */
  | { readonly kind: 'default'; readonly orEmpty: boolean; readonly instead: readonly Piece[] }
  | { readonly kind: 'required'; readonly message: readonly Piece[] }
  | { readonly kind: 'part'; readonly offset: number; readonly length: number | undefined };

/** Gets what is wrong; the rest of the text is left as it is. */
type Report = (problem: string) => void;

/** The levels of defaults within defaults that are read. */
const maxDepth = 16;

/** The pieces of a text, in order. Never throws: problems are reported and leave their source. */
export function parseInterpolation(text: string, report: Report): readonly Piece[] {
  const cursor: Cursor = { text, index: 0, depth: 0 };
  try {
    return pieces(cursor);
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
    report(error.message);
    return [text];
  }
}

interface Cursor {
  readonly text: string;
  index: number;
  depth: number;
}

class FormError extends Error {}

const special = /\\\\|\\\$|\$\$|\$\{|\$(\p{L}[\p{L}\p{Nd}_]*)|\}/gu;
const identifier = /\p{L}[\p{L}\p{Nd}_]*/uy;

/** To the end, or to the brace that ends the default around it. */
function pieces(cursor: Cursor): Piece[] {
  const { text } = cursor;
  const found: Piece[] = [];
  for (;;) {
    special.lastIndex = cursor.index;
    const match = special.exec(text);
    if (match === null) {
      found.push(text.slice(cursor.index));
      cursor.index = text.length;
      return found;
    }
    const [sign, name] = match;
    found.push(text.slice(cursor.index, match.index));
    cursor.index = match.index;
    if (sign === '}' && cursor.depth > 0) return found;
    if (sign === '${') found.push(braces(cursor));
    else {
      cursor.index += sign.length;
      if (name !== undefined) found.push({ name, source: sign, form: { kind: 'plain' } });
      else found.push(sign === '$$' || sign === '\\$' ? '$' : sign);
    }
  }
}

function braces(cursor: Cursor): Variable {
  const start = cursor.index;
  const { text } = cursor;
  if (++cursor.depth > maxDepth) throw new FormError(`\`\${\` stands in ${maxDepth} others`);
  identifier.lastIndex = start + 2;
  const name = identifier.exec(text)?.[0];
  if (name === undefined) throw noForm(text, start);
  cursor.index = start + 2 + name.length;
  const form = formAt(cursor, start);
  if (text[cursor.index] !== '}') throw unclosed();
  cursor.index++;
  cursor.depth--;
  return { name, source: text.slice(start, cursor.index), form };
}

function formAt(cursor: Cursor, start: number): Form {
  const { text, index } = cursor;
  if (text[index] === '}') return { kind: 'plain' };
  if (index >= text.length) throw unclosed();
  const operator = text.startsWith(':-', index) ? ':-' : (text[index] ?? '');
  cursor.index += operator.length;
  if (operator === ':-' || operator === '-')
    return { kind: 'default', orEmpty: operator === ':-', instead: pieces(cursor) };
  if (operator === '?') return { kind: 'required', message: pieces(cursor) };
  if (operator !== ':') throw noForm(text, start);
  const end = text.indexOf('}', cursor.index);
  if (end === -1) throw unclosed();
  const [offset, length] = numbers(text.slice(cursor.index, end)) ?? [];
  if (offset === undefined) throw noForm(text, start);
  cursor.index = end;
  return { kind: 'part', offset, length };
}

/** `offset` or `offset:length`, with spaces around them. */
function numbers(text: string): readonly [number, number | undefined] | undefined {
  const [, offset, length] = /^\s*([+-]?\d{1,15})\s*(?::\s*([+-]?\d{1,15})\s*)?$/.exec(text) ?? [];
  if (offset === undefined) return undefined;
  return [Number(offset), length === undefined ? undefined : Number(length)];
}

const unclosed = (): FormError =>
  new FormError('`${` has no closing brace; write `$${` where the shell is meant');

function noForm(text: string, start: number): FormError {
  const [source = ''] = /\$\{[^}]{0,80}\}?/.exec(text.slice(start, start + 90)) ?? [];
  if (!source.endsWith('}') && text.indexOf('}', start) === -1) return unclosed();
  return new FormError(
    `\`${source}\` is no form that is put in here; write \`$${source}\` for the shell`,
  );
}
