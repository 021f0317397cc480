import { jobName, type JobRef } from '../../api/refs.ts';
import type { Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { notForPrograms, notForShells, usable } from '../../dotenv/usable.ts';
import { usageError } from '../../errors.ts';
import { findBash } from '../../find-bash.ts';
import type { FoundJob } from '../../refs/find-job.ts';
import { resolveJob, resolveJobRef } from '../../refs/resolve.ts';
import { runChild } from '../../terminal/child.ts';
import type { jobEnv } from './index.ts';
import { warnOmitted } from './warn-omitted.ts';

type EnvInput = Input<typeof jobEnv>;

/**
 * Runs COMMAND, or the job's own one, with the job's variables beside those of this process, and
 * resolves to its exit code. The command may be a shell, or start one: names that a shell obeys are
 * left out here too, unless `--all-names` is given.
 */
export async function runWithJobEnv(input: EnvInput, context: Context): Promise<number> {
  const { ref, command } = await locate(input, context);
  const { jobs } = await context.client();
  const { env } = await jobs.env(ref);
  const omissionRule = input.allNames ? notForPrograms : notForShells;
  const { variables, omitted } = usable(env ?? {}, omissionRule);
  warnOmitted(omitted, context);
  return runChild(command, variables, context);
}

interface Located {
  readonly ref: JobRef;
  readonly command: readonly string[];
}

async function locate({ job, build, rest, run }: EnvInput, context: Context): Promise<Located> {
  const options = { mutates: false, ...(build !== undefined && { build }) };
  if (!run) return { ref: await resolveJobRef(context, job, options), command: rest };
  const found = await resolveJob(context, job, options);
  return { ref: found.ref, command: ownCommand(found, context) };
}

/** As an agent runs it, with the bash of this machine: the job's PATH may be one of another. */
function ownCommand({ ref, job: { command, type } }: FoundJob, { env }: Context): string[] {
  if (typeof command === 'string' && command.trim() !== '')
    return [findBash(env), '-e', '-c', command];
  const kind = type === undefined || type === 'script' ? '' : ` of type ${type}`;
  throw usageError(
    `job ${jobName(ref)}${kind} has no command to run`,
    'cictl job env JOB -- COMMAND',
  );
}
