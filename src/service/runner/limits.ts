/** What the system passes on to a new process. */
import type { JobRun } from './job-run.ts';

/** Bytes of one argument or of `NAME=value`, without the zero at its end (Linux). */
const longest = 131_071;

export const fits = (text: string): boolean => Buffer.byteLength(text) <= longest;

/**
 * The variables of the next process. One of the service's own that is too long is left out, with a
 * line in the log; throws the name of another one.
 */
export async function environmentFor(
  job: JobRun,
  more: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const env: Record<string, string> = { ...job.variables.get(), ...more };
  const tooLong = Object.keys(env).filter((name) => !fits(`${name}=${env[name] ?? ''}`));
  for (const name of tooLong) {
    const size = `${Buffer.byteLength(env[name] ?? '')} bytes, more than this system passes on`;
    if (!name.startsWith('BUILDKITE_')) throw new Error(`the variable ${name} has ${size}`);
    await job.say(`cictl: the variable ${name} is left out: it has ${size}`);
    job.variables.unset([name]);
  }
  const left = Object.entries(env).filter(([name]) => !tooLong.includes(name));
  return tooLong.length === 0 ? env : Object.fromEntries(left);
}

/** Throws where an argument is too long. */
export function checkArgument(text: string): void {
  if (fits(text)) return;
  const size = Buffer.byteLength(text);
  throw new Error(`an argument has ${size} bytes, more than this system passes on`);
}
