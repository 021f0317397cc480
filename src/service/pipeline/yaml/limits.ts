import { Lexer } from 'yaml';

/** Bytes of a pipeline file. */
const maxBytes = 1_048_576;
/** Values, every use of an alias counted anew. */
export const maxValues = 50_000;
export const maxDepth = 64;

export const tooDeep = `the file is nested deeper than ${maxDepth} levels`;

/**
 * Why a text is not even given to the parser: that one calls itself for each level, so the depth
 * is looked at before it runs. Indentation is left to it: where the stack is too small for that, it
 * says so.
 */
export function tooMuch(text: string): string | undefined {
  if (Buffer.byteLength(text) > maxBytes) return 'the file is larger than 1 MiB';
  let flow = 0;
  let dashes = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') flow++;
    else if (token === ']' || token === '}') flow--;
    else if (token === '-' || token === '?') dashes++;
    else if (token.startsWith('\n')) dashes = 0;
    if (Math.max(flow, dashes) > maxDepth) return tooDeep;
  }
  return undefined;
}
