/** Variables in the texts of a pipeline file, put in when the file is read. */
import { parseInterpolation, type Form, type Piece, type Variable } from './parse-interpolation.ts';

/** Where values come from, and who hears what is missing. */
export interface Variables {
  get(name: string): string | undefined;
  /** True where the text is to stay as it is, for the shell of the job. */
  isLeftToShell(name: string): boolean;
  unset(name: string): void;
  problem(text: string): void;
}

/** The text with its variables put in. Never throws: problems are reported and leave their source. */
export const interpolate = (text: string, variables: Variables): string =>
  text.includes('$')
    ? filled(
        parseInterpolation(text, (problem) => variables.problem(problem)),
        variables,
      )
    : text;

/** Characters: variables of variables multiply, ten times in each of a dozen lines. */
const maxLength = 4 * 1024 * 1024;
/** What reading goes on with. */
const shownLength = 80;

function filled(pieces: readonly Piece[], variables: Variables): string {
  let text = '';
  for (const piece of pieces) {
    text += typeof piece === 'string' ? piece : valueOf(piece, variables);
    if (text.length <= maxLength) continue;
    variables.problem(`the text is longer than 4 MiB with its variables put in`);
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
    const way = message === '' ? `; \`--env ${name}=…\` gives it` : `: ${message}`;
    variables.problem(`\`${name}\` is not set${way}`);
    return source;
  }
  if (value === undefined) variables.unset(name);
  return form.kind === 'part' ? partOf(value ?? '', form) : (value ?? '');
}

/** Counted in bytes, as the public parser counts; half a character is a replacement character. */
function partOf(value: string, { offset, length }: Form & { kind: 'part' }): string {
  const bytes = Buffer.from(value);
  const start = Math.min(offset < 0 ? Math.max(0, bytes.length + offset) : offset, bytes.length);
  if (length === undefined) return bytes.toString('utf8', start);
  const end = length < 0 ? bytes.length + length : start + length;
  return end <= start ? '' : bytes.toString('utf8', start, end);
}
