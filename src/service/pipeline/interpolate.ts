/**
 * Variables in the texts of a pipeline file, put in when the file is read: `$V`, `${V}`,
 * `${V:-default}`, `${V-default}`, `${V?message}`, `${V:?message}`, `${V:offset:length}`; `$$` and
 * `\$` stand for a dollar. Any other use of `$` (`$1`, `$(date)`) is the shell's and stays.
 */

/** Where values come from, and who hears what is missing. */
export interface Variables {
  get(name: string): string | undefined;
  /** True where the text is to stay as it is, for the shell of the job. */
  isLeftToShell(name: string): boolean;
  unset(name: string): void;
  problem(text: string): void;
}

const name = '[A-Za-z_][A-Za-z0-9_]*';
const marks = new RegExp(String.raw`\\\\|\\\$|\$\$|\$\{|\$(${name})`, 'g');
const form = new RegExp(`^(${name})(.*)$`, 's');
/** Levels of defaults within defaults. */
const maxDepth = 16;
const part = /^:\s*(-?\d+)\s*(?::\s*(-?\d+)\s*)?$/;

/** The text with its variables put in. Never throws: problems are reported and leave their source. */
export function interpolate(text: string, variables: Variables): string {
  let result = '';
  let done = 0;
  marks.lastIndex = 0;
  for (;;) {
    marks.lastIndex = done;
    const match = marks.exec(text);
    if (match === null) return result + text.slice(done);
    result += text.slice(done, match.index);
    const [mark, plain] = match;
    const end = mark === '${' ? closing(text, match.index) : match.index + mark.length;
    if (end === undefined) {
      variables.problem('`${` has no closing brace; write `$${` where the shell is meant');
      return result + text.slice(match.index);
    }
    if (plain !== undefined) result += simple(plain, mark, variables);
    else if (mark === '${') result += braces(text.slice(match.index, end), variables);
    else result += mark === '\\\\' ? mark : '$';
    done = end;
  }
}

/** The index after the brace that closes the one that opens at `start`. */
function closing(text: string, start: number): number | undefined {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    if (text.startsWith('${', index)) depth++;
    else if (text[index] === '}') depth--;
    if (depth === 0) return index + 1;
    if (depth > maxDepth) return undefined;
  }
  return undefined;
}

function simple(variable: string, source: string, variables: Variables): string {
  if (variables.isLeftToShell(variable)) return source;
  const value = variables.get(variable);
  if (value === undefined) variables.unset(variable);
  return value ?? '';
}

function braces(source: string, variables: Variables): string {
  const [, variable = '', rest = ''] = form.exec(source.slice(2, -1)) ?? [];
  if (variable === '') return notAForm(source, variables);
  if (rest === '') return simple(variable, source, variables);
  if (variables.isLeftToShell(variable)) return source;
  const value = variables.get(variable);
  const operator = /^:?[-?]/.exec(rest)?.[0];
  if (operator === undefined) return substring(variable, rest, source, variables);
  const isGiven = operator.startsWith(':') ? Boolean(value) : value !== undefined;
  if (isGiven) return value ?? '';
  const word = interpolate(rest.slice(operator.length), variables);
  if (operator.endsWith('-')) return word;
  variables.problem(`\`${variable}\` is not set${word === '' ? '' : `: ${word}`}`);
  return source;
}

function substring(variable: string, rest: string, source: string, variables: Variables): string {
  const match = part.exec(rest);
  if (match === null) return notAForm(source, variables);
  const value = Array.from(simple(variable, '', variables));
  const from = Number(match[1]);
  const length = match[2] === undefined ? undefined : Number(match[2]);
  const start = from < 0 ? value.length + from : from;
  if (start < 0) return '';
  const end = length === undefined ? undefined : length < 0 ? length : start + length;
  return value.slice(start, end).join('');
}

function notAForm(source: string, variables: Variables): string {
  variables.problem(
    `\`${source}\` is no form that is put in here; write \`$${source}\` for the shell`,
  );
  return source;
}
