import type { Jq } from 'jq-wasm';
import { isNestedDeeper } from '../../api/json.ts';
import { CictlError, usageError } from '../../errors.ts';
import { isPlainPath, runPlainPath } from './plain-path.ts';
import type { JqJob, JqOutput } from './thread.ts';

export interface JqResult {
  /** One string per value. Strings are raw, other values are JSON */
  readonly values: readonly string[];
  /** The output of jq's `debug` and `stderr` */
  readonly notes: string;
  /** The error that stopped the program after these values */
  readonly failure: CictlError | undefined;
}

interface JqOptions {
  readonly indent: boolean;
  readonly isCostly?: boolean;
  /** Aborting this signal stops a long-running program, and its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** Usage error if the program does not compile. */
export async function checkJq(program: string): Promise<void> {
  if (isPlainPath(program)) return;
  checkHalfPairsInProgram(program);
  // The check runs in the engine that will run the program, because a second engine takes 20 MB.
  const job = { input: '', program, flags: flags(false) };
  const { exitCode, stderr } = await run(job, isOpenEnded(program));
  if (exitCode !== 0) throw usageError(`invalid --jq program: ${reason(stderr)}`);
}

/**
 * Runs a program on one JSON text. Numbers keep all their digits. An error of the program is
 * returned as a `failure` of kind `usage`. Throws `CictlError` if jq cannot read the data (exit
 * code 9) or runs out of memory (exit code 10). If the signal is aborted, throws its reason.
 */
export async function runJq(program: string, text: string, options: JqOptions): Promise<JqResult> {
  checkDepth(text);
  const json = replaceHalfPairs(text);
  const found = runPlainPath(program, json, options);
  if (found !== undefined) return { values: found, notes: '', failure: undefined };
  const { indent, signal, isCostly = isCostlyJq(program, json) } = options;
  // The package trims the output, so strings are not printed raw. Each value is printed as JSON
  // after a separator (RFC 7464).
  const job = { input: `${separator}${json}\n`, program, flags: flags(indent) };
  const { exitCode, stdout, stderr } = await run(job, isCostly, signal);
  const values = stdout.split(separator).slice(1).map(rawString);
  if (exitCode === 0) return { values, notes: stderr, failure: undefined };
  return { values, notes: '', failure: usageError(`--jq failed: ${reason(stderr)}`) };
}

/** jq has a stack of 64 KiB. At 700 levels, its output is corrupt or it crashes. */
const maxLevels = 500;

function checkDepth(json: string): void {
  if (!isNestedDeeper(json, maxLevels)) return;
  throw new CictlError(
    'invalid_response',
    `the response has more than ${maxLevels} levels of nesting, which jq does not support`,
    { hint: 'to print the response without jq: --json' },
  );
}

const separator = '\x1e';

const flags = (indent: boolean): string[] =>
  indent ? ['--seq', '--'] : ['--seq', '--compact-output', '--'];

async function run(job: JqJob, isCostly: boolean, signal?: AbortSignal): Promise<JqOutput> {
  if (isCostly) return (await import('./thread.ts')).runJqInThread(job, signal);
  const jq = await (engine ??= loadEngine());
  return jq.raw(job.input, job.program, [...job.flags]);
}

let engine: Promise<Jq> | undefined;

/** The package is not part of the bundle, so it may be missing. */
async function loadEngine(): Promise<Jq> {
  const { loadJq } = await import('jq-wasm').catch((cause: unknown) => {
    const message = 'cannot load the package jq-wasm, which --jq requires';
    throw new CictlError('machine', message, { cause, hint: 'npm install' });
  });
  return loadJq();
}

function rawString(output: string): string {
  const text = output.trim();
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}

/** The first line of a jq error message, without `jq:` and without the position in the input. */
function reason(stderr: string): string {
  const [line = ''] = stderr.split('\n');
  const text = line.replace(/^jq: error(?: \(at [^)]*\))?:? ?/, '').replace(/:$/, '');
  return text.replace(' at <top-level>,', ' at') || 'it exited with an error';
}

/**
 * Whether a program may run for a long time, or forever. Such a program runs in a thread, so that
 * Ctrl-C can stop it. Other programs run directly, to save the time of starting a thread.
 */
export function isCostlyJq(program: string, json: string): boolean {
  if (isOpenEnded(program) || json.length > 8_000_000) return true;
  const code = withoutStrings(program);
  // Each `[]` or `..` may visit every element. Each comma, sum or interpolation may double the work
  // of the code after it.
  const loops = code.match(/\[\s*\]|\.\./g)?.length ?? 0;
  const forks = code.match(/[,+]|\\\(/g)?.length ?? 0;
  const elements = loops === 0 ? 1 : json.split(',').length + 1;
  return 2 ** forks * elements ** loops > 10_000_000;
}

function isOpenEnded(program: string): boolean {
  const code = withoutStrings(program);
  // `*` repeats strings. An assignment to an index creates an array of that length.
  return openEnded.test(code) || /\*|(?<![=!<>])=(?!=)/.test(code);
}

/** Loops, definitions, bindings, and functions that visit all paths or create large values. */
const openEnded = new RegExp(
  String.raw`(?<![.$@\w])(?:def|reduce|foreach|as|while|until|repeat|range|recurse|recurse_down|` +
    'limit|skip|combinations|walk|paths|leaf_paths|tostream|fromstream|truncate_stream|getpath|' +
    String.raw`setpath|pick|transpose|test|match|capture|scan|splits|sub|gsub|label)(?![\w])`,
);

/** Removes strings, except strings with interpolated values. */
const withoutStrings = (program: string): string => program.replace(/"(?:[^"\\]|\\[^(])*"/g, '""');

/**
 * Usage error if a program contains a lone surrogate. The surrogate could not match anything,
 * because cictl replaces lone surrogates in jq's input with U+FFFD.
 */
export function checkHalfPairsInProgram(program: string): void {
  mapHalfPairs(program, (half) => {
    throw usageError(
      `invalid --jq program: ${half} is an unpaired surrogate, which a string cannot contain`,
    );
  });
}

/** Replaces each lone surrogate in a JSON text, because jq would stop reading there. */
export const replaceHalfPairs = (json: string): string => mapHalfPairs(json, () => '\\ufffd');

/** Calls `map` with the escape of each lone surrogate. */
function mapHalfPairs(text: string, map: (half: string) => string): string {
  if (!/\\u[dD][89a-fA-F]|[\ud800-\udfff]/.test(text)) return text;
  return text.replace(surrogates, (found, half?: string) => {
    if (half !== undefined) return map(half);
    return found.length === 1 ? map(`\\u${found.charCodeAt(0).toString(16)}`) : found;
  });
}

/** Matches pairs and other escapes first, so that they are skipped. Captures lone surrogates. */
const surrogates =
  /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(\\u[dD][89a-fA-F][\da-fA-F]{2})|\\[^]|\p{Surrogate}/gu;
