import { isNestedDeeper } from '../../api/json.ts';
import { CictlError, usageError } from '../../errors.ts';
import type * as Engine from './engine.ts';
import type { JqEnded, JqJob } from './thread.ts';

/** What a jq program made of one JSON text. */
export interface JqResult {
  /** The values that came out, in order: strings raw, everything else as JSON. */
  readonly values: readonly string[];
  /** What `debug` and `stderr` said, or nothing. */
  readonly notes: string;
  /** The error that ended the program after these values. */
  readonly failure: CictlError | undefined;
}

/** How a program is run. */
interface JqOptions {
  readonly indent: boolean;
  /** Whether the program may run long on the text; default: by looking at both. */
  readonly isCostly?: boolean;
  /** Ends a program that runs long; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** Throws `CictlError` of kind `usage` for a program that does not compile. Sends nothing. */
export async function checkJq(program: string): Promise<void> {
  checkHalfPairsInProgram(program);
  const job = { input: '', program, flags: flags(false) };
  // A second engine, for the check alone, would take 20 MB.
  const { exitCode, stderr } = isOpenEndedJq(program)
    ? await (await import('./thread.ts')).runJqInThread(job, undefined)
    : await runHere(job);
  if (exitCode !== 0) throw usageError(`--jq is no program: ${reason(stderr)}`);
}

/**
 * Runs a program on one JSON text. Numbers of any length pass through unchanged. An error while it
 * runs is of kind `usage` too: the program does not suit the data. Throws for data that jq cannot
 * read as it is (code 9), for want of memory (code 10), and the reason of the signal.
 */
export async function runJq(
  program: string,
  json: string,
  { indent, signal, isCostly = isCostlyJq(program, json) }: JqOptions,
): Promise<JqResult> {
  checkDepth(json);
  // With separators (RFC 7464), since the wrapper trims the output and raw strings would lose their
  // ends; jq then wants them round its input as well.
  const job = { input: `${separator}${replaceHalfPairs(json)}\n`, program, flags: flags(indent) };
  const { exitCode, stdout, stderr } = isCostly
    ? await (await import('./thread.ts')).runJqInThread(job, signal)
    : await runHere(job);
  const values = stdout.split(separator).slice(1).map(rawString);
  if (exitCode === 0) return { values, notes: stderr, failure: undefined };
  return { values, notes: '', failure: usageError(`--jq failed: ${reason(stderr)}`) };
}

/** jq has 64 KiB of stack: what it writes of 700 levels is broken, or breaks it. */
const mostLevels = 500;

function checkDepth(json: string): void {
  if (!isNestedDeeper(json, mostLevels)) return;
  throw new CictlError(
    'invalid_response',
    `the service answered what is nested in more than ${mostLevels} levels, which jq does not bear`,
    { hint: 'leave --jq out: --json passes it on as it came' },
  );
}

const flags = (indent: boolean): string[] =>
  indent ? ['--seq', '--'] : ['--seq', '--compact-output', '--'];

async function runHere({ input, program, flags }: JqJob): Promise<JqEnded> {
  const { jqEngine } = await load();
  return (await jqEngine()).raw(input, program, [...flags]);
}

const separator = '\x1e';

function rawString(output: string): string {
  const text = output.trim();
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}

/** The package is not part of the bundle, so that it may be missing. */
async function load(): Promise<typeof Engine> {
  try {
    return await import('./engine.ts');
  } catch (cause) {
    const message = 'the package jq-wasm, which --jq needs, cannot be loaded';
    throw new CictlError('machine', message, { cause, hint: 'npm install' });
  }
}

/** The first line of what jq says, without its own name and place. */
function reason(stderr: string): string {
  const [line = ''] = stderr.split('\n');
  const text = line.replace(/^jq: error(?: \(at [^)]*\))?:? ?/, '').replace(/:$/, '');
  return text.replace(' at <top-level>,', ' at') || 'it ended with an error';
}

/**
 * Whether a program of jq may run long on a JSON text: without end, or too long to wait for.
 * Such programs get a thread of their own, which Ctrl-C can end; the others are spared its start.
 */
export function isCostlyJq(program: string, json: string): boolean {
  const bare = withoutTexts(program);
  if (isOpenEnded(bare) || json.length > maxText) return true;
  return maxSteps(bare, json) > enough;
}

/** Whether the program alone says so, on whatever text. */
const isOpenEndedJq = (program: string): boolean => isOpenEnded(withoutTexts(program));

/** The same of a program that is run on each of several texts, which know nothing of each other. */
export function isCostlyForEach(program: string, texts: readonly string[]): boolean {
  const bare = withoutTexts(program);
  const longest = texts.reduce((most, text) => (text.length > most.length ? text : most), '');
  if (isOpenEnded(bare) || longest.length > maxText) return true;
  return texts.length * maxSteps(bare, longest) > enough;
}

/** Characters of JSON that take about a second. */
const maxText = 8_000_000;
const enough = 10_000_000;

/**
 * Loops, what defines or binds, what walks every path, and what makes large values of small ones.
 */
const openEnded = new Set(
  (
    'def reduce foreach as while until repeat range recurse recurse_down limit skip combinations ' +
    'walk paths leaf_paths tostream fromstream truncate_stream getpath setpath pick transpose ' +
    'test match capture scan splits sub gsub label'
  ).split(' '),
);

const isOpenEnded = (bare: string): boolean =>
  // `*` repeats texts; an assignment makes arrays as long as an index says.
  /\*|(?<![=!<>])=(?!=)/.test(bare) ||
  (bare.match(/(?<![.$@\w])[a-z_]+/g) ?? []).some((word) => openEnded.has(word));

/**
 * A bound on what it does: each `[]` or `..` may take every element for each one before, and each
 * comma, sum or inserted value does all that follows once more.
 */
function maxSteps(bare: string, json: string): number {
  const loops = bare.match(/\[\s*\]|\.\./g)?.length ?? 0;
  const forks = bare.match(/[,+]|\\\(/g)?.length ?? 0;
  return 2 ** forks * (loops === 0 ? 1 : (commasIn(json) + 2) ** loops);
}

function commasIn(json: string): number {
  let count = 0;
  for (let at = json.indexOf(','); at >= 0; at = json.indexOf(',', at + 1)) count += 1;
  return count;
}

/** Texts go, but for those into which values are inserted. */
const withoutTexts = (program: string): string => program.replace(/"(?:[^"\\]|\\[^(])*"/g, '""');

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
