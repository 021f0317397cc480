/**
 * Parses `KEY=VALUE` files like the dotenv package, and everything that `job env` writes. The
 * dotenv package itself would change some of those values: it keeps the backslashes of `\"` and
 * `\$`, and does not end single quotes at `\'`.
 */
import { usageError } from '../errors.ts';

const assignment = /^[ \t]*(?:export[ \t]+)?([\w.-]+)(?:[ \t]*=[ \t]*|:[ \t]+)/;

/**
 * Returns the variables. If a name occurs twice, the last value wins. Unquoted values end at ` #`
 * or at the end of the line. Single quotes and backticks are verbatim. Double quotes support `\n`,
 * `\r`, `\"`, `\\`, `\$` and `` \` ``. Quoted values may span lines. If the text is malformed, the
 * exit code is 2, and the message includes the file and line.
 */
export function readDotenv(text: string, file: string): Record<string, string> {
  const variables: [string, string][] = [];
  let rest = text.replace(/^\uFEFF/, '');
  const fail = (reason: string) => {
    const line = text.slice(0, text.length - rest.length).split('\n').length;
    return usageError(`${file}:${line}: ${reason}`);
  };
  while (rest !== '') {
    const start = assignment.exec(rest);
    if (start === null) {
      if (!/^[ \t]*(#|\r?\n|$)/.test(rest)) throw fail('a variable must be KEY=VALUE');
      rest = afterLine(rest);
      continue;
    }
    const value = readValue(rest.slice(start[0].length));
    if (typeof value === 'string') throw fail(value);
    variables.push([start[1] ?? '', value.text]);
    rest = value.rest;
  }
  return Object.fromEntries(variables);
}

interface ParsedValue {
  text: string;
  rest: string;
}

function readValue(text: string): ParsedValue | string {
  return /^["'`]/.test(text) ? quoted(text) : bare(text);
}

function bare(text: string): ParsedValue {
  const line = /^[^\r\n]*/.exec(text)?.[0] ?? '';
  return { text: line.replace(/#.*$/, '').trim(), rest: afterLine(text) };
}

const segments = /^(?:'([^']*)'|"((?:[^"\\]|\\[^])*)"|`([^`]*)`|\\([^\r\n]))/;

/** Joins adjacent quoted parts like a shell: `'it'\''s'`. */
function quoted(text: string): ParsedValue | string {
  let value = '';
  let rest = text;
  for (let found = segments.exec(rest); found !== null; found = segments.exec(rest)) {
    const [all, single, double, backtick, escaped] = found as (string | undefined)[];
    value += single ?? backtick ?? escaped ?? unescape(double ?? '');
    rest = rest.slice(all?.length);
  }
  if (/^["'`]/.test(rest)) return 'unclosed quotes';
  if (!/^[ \t]*(?:#|\r?\n|$)/.test(rest)) return 'text after the closing quotes';
  return { text: value, rest: afterLine(rest) };
}

const unescape = (text: string): string =>
  text.replace(/\\([nr"\\$`])/g, (_, letter: string) => ({ n: '\n', r: '\r' })[letter] ?? letter);

function afterLine(text: string): string {
  const end = text.indexOf('\n');
  return end === -1 ? '' : text.slice(end + 1);
}
