import type { Colors } from './colors.ts';

/**
 * JSON text indented by two blanks a level and coloured. Its values stay digit by digit and escape
 * by escape, as do two members of one name: nothing is parsed. The text has to be JSON.
 */
export function layOutJson(json: string, colors: Colors): string {
  let text = '';
  let depth = 0;
  const tokens = json.match(tokenPattern) ?? [];
  for (const [at, token] of tokens.entries()) {
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    if (closing.has(token)) depth -= 1;
    if (breaksBefore(token, before)) text += lineBreak(depth);
    text += painted(token, next, colors);
    if (opening.has(token)) depth += 1;
  }
  return text;
}

/** The same colours for text that is laid out already. */
export const paintJson = (json: string, colors: Colors): string =>
  json.replace(
    coloured,
    (_, token: string, colon?: string) =>
      painted(token, colon === undefined ? undefined : ':', colors) + (colon ?? ''),
  );

const tokenPattern = /"[^"\\]*(?:\\.[^"\\]*)*"|[^\s"{}[\],:]+|[{}[\],:]/g;
const coloured = /("[^"\\]*(?:\\.[^"\\]*)*"|[^\s"{}[\],:]+)(\s*:)?/g;
const opening = new Set(['{', '[']);
const closing = new Set(['}', ']']);

const lineBreak = (depth: number): string => `\n${'  '.repeat(depth)}`;

/** Empty arrays and objects stay on their line. */
const breaksBefore = (token: string, before: string | undefined): boolean =>
  closing.has(token)
    ? !opening.has(before ?? '')
    : before === ',' || (before !== undefined && opening.has(before));

function painted(token: string, next: string | undefined, colors: Colors): string {
  if (token === ':') return ': ';
  if (token.startsWith('"')) return next === ':' ? colors.bold(token) : colors.green(token);
  if (token === 'null') return colors.dim(token);
  return /^[\w-]/.test(token) ? colors.cyan(token) : token;
}
