/** Checks a command line that has exited for violations of the contract. */
import { wantsJson } from '../../src/cli/parse.ts';
import { readCommandLine } from '../../src/cli/program.ts';
import type { Env } from '../../src/common/env.ts';
import { inProcess, type Ended, type InProcess } from './in-process.ts';
import { timeLimit } from './time-limit.ts';

const codes = new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 124, 130, 143]);

/** Printing a token is the purpose of these commands. */
const printers = new Set(['auth token', 'local token create']);

/** Returns the violations; empty if there are none. `secrets` must not appear in any output. */
export function breaches(
  args: readonly string[],
  { exitCode, stdout, stderr, failed }: Omit<Ended, 'bytes'>,
  { env = {}, secrets }: { env?: Env; secrets: readonly string[] },
): string[] {
  const isDebug = args.includes('--debug');
  const lines = stderr.replace(/\n$/, '').split('\n');
  const { flags, entry } = readCommandLine(args);
  const shown = printers.has(entry?.command.name ?? '') ? stderr : stdout + stderr;
  const found = [
    ...(codes.has(exitCode) ? [] : [`code ${exitCode}`]),
    ...(/unexpected fault/.test(stderr) ? ['an unexpected fault'] : []),
    ...(!isDebug && /^ +at .*\d+:\d+/m.test(stderr) ? ['a stack trace'] : []),
    ...(secrets.some((secret) => shown.includes(secret)) ? ['a secret'] : []),
    ...(/\[object Object\]|\bNaN\b(?!")|\bundefined\b/.test(stderr) ? ['what is no text'] : []),
    ...(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/.test(stderr) ? ['a control character'] : []),
  ];
  if (!failed) return found;
  if (wantsJson(flags, env)) return [...found, ...jsonBreaches(lines.at(-1) ?? '', exitCode)];
  const at = lines.findLastIndex((line) => line.startsWith('cictl: '));
  if (at < 0) return [...found, 'no message'];
  const behind = lines.slice(at + 1);
  const isHint = behind.length === 0 || (behind.length === 1 && behind[0]?.startsWith('  try: '));
  return isHint === true ? found : [...found, `more than a hint: ${behind.join('|')}`];
}

function jsonBreaches(line: string, exitCode: number): string[] {
  try {
    const { error } = JSON.parse(line) as { error: Record<string, unknown> };
    const { code, kind, status, message, details, hint } = error;
    const isWhole =
      code === exitCode &&
      typeof kind === 'string' &&
      (status === null || typeof status === 'number') &&
      typeof message === 'string' &&
      Array.isArray(details) &&
      (hint === null || typeof hint === 'string');
    return isWhole ? [] : [`the error ${line}`];
  } catch {
    return [`no JSON: ${line}`];
  }
}

/** Runs a command line in this process. Names the line if it never finishes. */
export async function runLine(args: readonly string[], options: InProcess): Promise<Ended> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`never finished: ${JSON.stringify(args)}`)),
      timeLimit,
    );
  });
  return Promise.race([inProcess(args, options), late]).finally(() => clearTimeout(timer));
}
