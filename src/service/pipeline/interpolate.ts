interface Variables {
  get(name: string): string | undefined;
  isLeftToShell(name: string): boolean;
  /** Called for each unset variable that is replaced with an empty string. */
  unset(name: string): void;
  problem(text: string): void;
}

/**
 * Replaces the variables in a string of a pipeline file: `$V`, `${V}`, `${V:-default}`,
 * `${V-default}`, `${V?message}`, `${V:offset:length}`. `$$` and `\$` become a dollar sign. Any
 * other `$` (`$1`, `$_`, `$(date)`) is left to the shell. Leaves malformed strings unchanged.
 */
export function interpolate(text: string, variables: Variables): string {
  if (!text.includes('$')) return text;
  try {
    return filled(pieces({ text, index: 0, depth: 0 }), variables);
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
    variables.problem(error.message);
    return text;
  }
}

/** Maximum number of characters. Nested variables could make a string grow exponentially. */
const maxLength = 4 * 1024 * 1024;
/** A string above the maximum is truncated to this many characters. */
const shownLength = 80;

function filled(pieces: readonly Piece[], variables: Variables): string {
  let text = '';
  for (const piece of pieces) {
    text += typeof piece === 'string' ? piece : valueOf(piece, variables);
    if (text.length <= maxLength) continue;
    variables.problem(`the string is longer than 4 MiB after its variables are replaced`);
    return text.slice(0, shownLength);
  }
  return text;
}

function valueOf({ name, source, form }: Variable, variables: Variables): string {
  if (variables.isLeftToShell(name)) return source;
  const value = variables.get(name);
  if (form.kind === 'default') {
    const isGiven = form.orEmpty ? Boolean(value) : value !== undefined;
    return isGiven ? (value ?? '') : filled(form.instead, variables);
  }
  if (form.kind === 'required' && value === undefined) {
    const message = filled(form.message, variables);
    const way = message === '' ? `; set it with \`--env ${name}=…\`` : `: ${message}`;
    variables.problem(`\`${name}\` is not set${way}`);
    return source;
  }
  if (value === undefined) variables.unset(name);
  return form.kind === 'part' ? partOf(value ?? '', form) : (value ?? '');
}

/** `offset` and `length` are in bytes, as on the public service. */
function partOf(value: string, { offset, length }: Form & { kind: 'part' }): string {
  const bytes = Buffer.from(value);
  const start = Math.min(offset < 0 ? Math.max(0, bytes.length + offset) : offset, bytes.length);
  if (length === undefined) return bytes.toString('utf8', start);
  const end = length < 0 ? bytes.length + length : start + length;
  return end <= start ? '' : bytes.toString('utf8', start, end);
}

type Piece = string | Variable;

/** `source` is the text from `$` to `}`, inclusive. */
interface Variable {
  readonly name: string;
  readonly source: string;
  readonly form: Form;
}

type Form =
  | { readonly kind: 'plain' }
  /** If `orEmpty` is true, the default also replaces an empty value. */
  | { readonly kind: 'default'; readonly orEmpty: boolean; readonly instead: readonly Piece[] }
  | { readonly kind: 'required'; readonly message: readonly Piece[] }
  | { readonly kind: 'part'; readonly offset: number; readonly length: number | undefined };

const maxDepth = 16;

interface Cursor {
  readonly text: string;
  index: number;
  depth: number;
}

class FormError extends Error {}

const special = /\\\\|\\\$|\$\$|\$\{|\$(\p{L}[\p{L}\p{Nd}_]*)|\}/gu;
const identifier = /\p{L}[\p{L}\p{Nd}_]*/uy;

/** Parses up to the end of the text or, inside a default, up to the closing brace. */
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
  if (++cursor.depth > maxDepth)
    throw new FormError(`\`\${\` is nested deeper than ${maxDepth} levels`);
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

function numbers(text: string): readonly [number, number | undefined] | undefined {
  const [, offset, length] = /^\s*([+-]?\d{1,15})\s*(?::\s*([+-]?\d{1,15})\s*)?$/.exec(text) ?? [];
  if (offset === undefined) return undefined;
  return [Number(offset), length === undefined ? undefined : Number(length)];
}

const unclosed = (): FormError =>
  new FormError('`${` has no closing brace; for the shell, write `$${`');

function noForm(text: string, start: number): FormError {
  const [source = ''] = /\$\{[^}]{0,80}\}?/.exec(text.slice(start, start + 90)) ?? [];
  if (!source.endsWith('}') && text.indexOf('}', start) === -1) return unclosed();
  return new FormError(
    `\`${source}\` is not a supported expression; for the shell, write \`$${source}\``,
  );
}
