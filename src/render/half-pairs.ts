import { CictlError, usageError } from '../errors.ts';

/**
 * Half a surrogate pair is no character. JSON can hold one, as `\ud800`; jq reads it as U+FFFD and
 * says nothing, so that neither such a program nor such data gets to it.
 */

/** Throws `CictlError` of kind `usage`, code 2. */
export function checkHalfPairsInProgram(program: string): void {
  const half = halfIn(program);
  if (half !== undefined)
    throw usageError(
      `--jq is no program: ${half} is half a surrogate pair, which no text can hold`,
    );
}

/** Throws `CictlError`, code 9, and says where. */
export function checkHalfPairsInInput(json: string): void {
  if (halfIn(json) === undefined) return;
  const path = pathOfHalf(JSON.parse(json) as unknown) ?? '.';
  throw new CictlError(
    'invalid_response',
    `the service answered half a surrogate pair at ${path}, which jq cannot read`,
    { hint: 'leave --jq out: --json passes it on as it came' },
  );
}

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

/** The path, as a program would have it, of the first text or name that is not whole. */
function pathOfHalf(document: unknown): string | undefined {
  const open: { value: unknown; path: string }[] = [{ value: document, path: '' }];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const { value, path } = one;
    if (typeof value === 'string' && isHalf.test(value)) return path === '' ? '.' : path;
    if (typeof value !== 'object' || value === null) continue;
    // The last is looked at first, so they go in from the end.
    for (const [name, inner] of Object.entries(value).reverse()) {
      const inside = path + step(name, path === '', Array.isArray(value));
      open.push({ value: isHalf.test(name) ? name : (inner as unknown), path: inside });
    }
  }
  return undefined;
}

const isHalf = /\p{Surrogate}/u;

function step(name: string, isFirst: boolean, inArray: boolean): string {
  if (inArray) return `${isFirst ? '.' : ''}[${name}]`;
  if (/^[A-Za-z_]\w*$/.test(name)) return `.${name}`;
  return `${isFirst ? '.' : ''}[${JSON.stringify(name)}]`;
}
