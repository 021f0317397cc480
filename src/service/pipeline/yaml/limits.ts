import { Lexer } from 'yaml';
import { maxPipelineBytes } from '../read-pipeline-bytes.ts';

/** Keys and values, every use of an alias counted anew: 10,000 steps of 50. */
export const maxValues = 500_000;
export const maxDepth = 64;

export const tooDeep = `the file is nested deeper than ${maxDepth} levels`;
export const tooMany = `the file has more than ${maxValues} values once its aliases are followed`;

/**
 * Why a text is not even given to the parser: that one calls itself for each level, so the depth
 * is looked at before it runs. Indentation is left to it: where the stack is too small for that, it
 * says so.
 */
export function tooMuch(text: string): string | undefined {
  if (Buffer.byteLength(text) > maxPipelineBytes) return 'the file is larger than 4 MiB';
  let flow = 0;
  let dashes = 0;
  let scalars = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') flow++;
    else if (token === ']' || token === '}') flow--;
    else if (token === '-' || token === '?') dashes++;
    else if (token.startsWith('\n')) dashes = 0;
    else if (token === '\x1f' || /^["'*]/.test(token)) scalars++;
    if (Math.max(flow, dashes) > maxDepth) return tooDeep;
    if (scalars > maxValues) return tooMany;
  }
  return undefined;
}
