import type * as Engine from './jq-engine.ts';
import { CictlError, usageError } from '../errors.ts';

/** What a jq program made of one JSON text. */
export interface JqResult {
  /** The values that came out, in order: strings raw, everything else as JSON. */
  readonly values: readonly string[];
  /** What `debug` and `stderr` said, or nothing. */
  readonly notes: string;
  /** The error that ended the program after these values. */
  readonly failure: CictlError | undefined;
}

/** Throws `CictlError` of kind `usage` for a program that does not compile. Sends nothing. */
export async function checkJq(program: string): Promise<void> {
  const { exitCode, stderr } = await run('', program, true);
  if (exitCode !== 0) throw usageError(`--jq is no program: ${reason(stderr)}`);
}

/**
 * Runs a program on one JSON text. Numbers of any length pass through unchanged. An error while it
 * runs is of kind `usage` too: the program does not suit the data.
 */
export async function runJq(program: string, json: string, indent: boolean): Promise<JqResult> {
  const { exitCode, stdout, stderr } = await run(json, program, !indent);
  const values = stdout.split(separator).slice(1).map(rawString);
  if (exitCode === 0) return { values, notes: stderr, failure: undefined };
  return { values, notes: '', failure: usageError(`--jq failed: ${reason(stderr)}`) };
}

interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(json: string, program: string, compact: boolean): Promise<Ended> {
  const { jqEngine } = await load();
  const jq = await jqEngine();
  // With separators (RFC 7464), since the wrapper trims the output and raw strings would lose their
  // ends; jq then wants them round its input as well.
  const input = json === '' ? '' : `${separator}${json}\n`;
  return jq.raw(input, program, compact ? ['--seq', '--compact-output', '--'] : ['--seq', '--']);
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
