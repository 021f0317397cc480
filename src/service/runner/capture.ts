/** What a hook leaves behind for the phases after it: variables, and the folder it is in. */
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HookFailure, type Hook } from './hooks.ts';
import { makeScratch, type JobRun } from './job-run.ts';
import { secretsIn } from './secrets.ts';

interface Capture {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Reads the hook into a shell and writes down what has become of it; the exit status stays. */
export function captureScript(job: JobRun, hook: string): string {
  makeScratch(job);
  const file = quote(captureFile(job));
  return `. ${quote(hook)}
BUILDKITE_HOOK_EXIT_STATUS=$?
{ printf '%s\\0' "$PWD" && ${quote(job.world.env)} -0; } > ${file} || exit 1
exit "$BUILDKITE_HOOK_EXIT_STATUS"`;
}

const captureFile = ({ spec }: JobRun): string => join(spec.scratch, 'left');

export const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Null where the hook ended the shell itself. */
export async function readCapture(job: JobRun): Promise<Capture | null> {
  const text = await readFile(captureFile(job), 'utf8').catch(() => '');
  await rm(captureFile(job), { force: true });
  const [cwd = '', ...pairs] = text.split('\0').slice(0, -1);
  if (cwd === '') return null;
  const env = Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)] as const;
    }),
  );
  return { cwd, env };
}

/** Set by the shell itself, or for the hook alone. */
const passing = /^(_|PWD|OLDPWD|SHLVL|BUILDKITE_HOOK_.*)$/;

/** Takes over what the hook left. Throws `HookFailure` where that is no folder to go on in. */
export async function applyChanges(
  job: JobRun,
  { env: own }: Hook,
  before: Readonly<Record<string, string>>,
  capture: Capture | null,
): Promise<void> {
  if (capture === null) return note(job, 'the hook ended its shell: what it exported is not kept');
  const after = capture.env;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter(
    (one) =>
      !passing.test(one) && before[one] !== after[one] && (one in after || mayUnset(one, own)),
  );
  const set = Object.fromEntries(
    changed.flatMap((one) => {
      const value = after[one];
      return value === undefined ? [] : [[one, value] as const];
    }),
  );
  job.redact(secretsIn(set));
  job.variables.set(set);
  job.variables.unset(changed.filter((one) => after[one] === undefined));
  for (const one of changed) await note(job, `${one} ${verb(before[one], after[one])}`);
  await changeFolder(job, capture.cwd);
}

/** Not what the shell itself leaves out, nor what only the hook was given. */
const mayUnset = (name: string, own: Hook['env']): boolean => /^\w+$/.test(name) && !(name in own);

async function changeFolder(job: JobRun, cwd: string): Promise<void> {
  if (cwd === job.cwd) return;
  const found = await stat(cwd).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new HookFailure(`has left the job in ${cwd}, a folder that is not there`);
  job.cwd = cwd;
  await job.say(`\x1b[90m$\x1b[0m cd ${cwd}`);
}

const verb = (before: string | undefined, after: string | undefined): string =>
  before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';

const note = (job: JobRun, text: string): Promise<void> => job.say(`\x1b[90m# ${text}\x1b[0m`);
