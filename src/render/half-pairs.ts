import { usageError } from '../errors.ts';

/**
 * Throws `CictlError` of kind `usage` if a program contains half of a surrogate pair: it could match
 * nothing, because jq gets U+FFFD in its place in the input.
 */
export function checkHalfPairsInProgram(program: string): void {
  const half = halfIn(program);
  if (half !== undefined)
    throw usageError(
      `--jq is no program: ${half} is half a surrogate pair, which no text can hold`,
    );
}

/** Replaces each half of a surrogate pair in a JSON text, at which jq would stop reading. */
export const replaceHalfPairs = (json: string): string =>
  suspicious.test(json)
    ? json.replace(units, (found, half?: string) =>
        half !== undefined || found.length === 1 ? '\\ufffd' : found,
      )
    : json;

/** The first escape, or bare unit, that stands alone; whole pairs and `\\` are passed over. */
function halfIn(text: string): string | undefined {
  if (!suspicious.test(text)) return undefined;
  for (const [found, half] of text.matchAll(units)) {
    if (half !== undefined) return half;
    if (found.length === 1) return `\\u${found.charCodeAt(0).toString(16)}`;
  }
  return undefined;
}

const suspicious = /\\u[dD][89a-fA-F]|[\ud800-\udfff]/;
const units =
  /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(\\u[dD][89a-fA-F][\da-fA-F]{2})|\\[^]|\p{Surrogate}/gu;
