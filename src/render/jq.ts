import { isNestedDeeper } from '../api/json.ts';
import { CictlError, usageError } from '../errors.ts';
import { checkHalfPairsInProgram, replaceHalfPairs } from './half-pairs.ts';
import { isCostlyJq, isOpenEndedJq } from './jq-cost.ts';
import type * as Engine from './jq-engine.ts';
import type { JqEnded, JqJob } from './jq-thread.ts';

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
export interface JqOptions {
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
    ? await (await import('./jq-thread.ts')).runJqInThread(job, undefined)
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
    ? await (await import('./jq-thread.ts')).runJqInThread(job, signal)
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
    return await import('./jq-engine.ts');
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
