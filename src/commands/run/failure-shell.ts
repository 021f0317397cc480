/** `--shell-on-failure`: a look at what a failed job has left behind. */
import { stat } from 'node:fs/promises';
import type { Client } from '../../api/client.ts';
import type { BuildRef } from '../../api/refs.ts';
import type { Build } from '../../api/resources/build.ts';
import type { Job } from '../../api/resources/job.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { findBash } from '../../common/find-bash.ts';
import { cleanLine } from '../../common/untrusted-text.ts';
import type { Plan } from '../../service/pipeline/plan.ts';
import { hostVariables } from '../../service/runner/host-variables.ts';
import { runChild } from '../../terminal/child.ts';
import { createFailedLogTails } from '../../watch/job-logs.ts';
import { isFailedJob } from '../../watch/outcome.ts';
import { jobTitle } from '../../watch/job-title.ts';
import type { RunSettings } from './request.ts';

export interface FailedRun {
  readonly client: Client;
  readonly ref: BuildRef;
  readonly build: Build;
  readonly plan: Plan;
  readonly settings: RunSettings;
}

/**
 * A shell in the folder of the failed job, with its environment and secrets, below the last lines of
 * its log; among several jobs the user chooses. Resolves when the shell has ended, however it did.
 */
export async function openFailureShell(run: FailedRun, context: Context): Promise<void> {
  const job = await chooseJob(run.build, context);
  if (job === undefined) return;
  const { env = {} } = await run.client.jobs.env({ ...run.ref, job: job.id ?? '' });
  const variables = { ...texts(env ?? {}), ...secretsOf(job, run) };
  const title = cleanLine(jobTitle(job));
  const cwd = variables['BUILDKITE_BUILD_CHECKOUT_PATH'] ?? '';
  if (!(await isFolder(cwd))) {
    context.messages.note(`no shell for "${title}": its folder was removed when it had ended`);
    return;
  }
  await printEnd(job, run, context);
  context.messages.note(`a shell in ${cwd} with the environment of "${title}"; exit leaves it`);
  const shell = [findBash(context.env), '--noprofile', '--norc', '-i'];
  const host = { ...context, cwd, env: hostVariables(context.env) };
  await runChild(shell, { ...variables, PS1: String.raw`cictl \w \$ ` }, host);
}

async function chooseJob({ jobs = [] }: Build, { prompts }: Context): Promise<Job | undefined> {
  const failed = (jobs ?? []).filter(
    (job) => isFailedJob(job) && job.retried !== true && job.started_at,
  );
  if (failed.length < 2) return failed[0];
  const choices = failed.map((job) => ({ cells: [jobTitle(job)], value: job }));
  return prompts.choose('A shell for which job?', choices).catch(noneUnlessInterrupted);
}

/** Who ends the input wants no shell: the code stays that of the build. */
function noneUnlessInterrupted(error: unknown): undefined {
  if (!(error instanceof CictlError) || error.kind !== 'usage') throw error;
}

const texts = (env: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]));

/** A job of the API does not say which step it is of; its key, or its command does. */
function secretsOf(job: Job, { plan, settings }: FailedRun): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const step of plan.steps) {
    if (step.type !== 'command') continue;
    if (job.step_key ? step.key !== job.step_key : step.command !== job.command) continue;
    for (const { key, variable } of step.secrets)
      variables[variable] = settings.options.secrets[key] ?? '';
  }
  return variables;
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;

function printEnd(job: Job, { client, ref, build }: FailedRun, context: Context): Promise<void> {
  const nothing = (): Promise<void> => Promise.resolve();
  const view = {
    ...{ report: nothing, close: nothing },
    show: (text: string) => context.out.write(text),
    note: (text: string) => {
      context.messages.note(text);
      return Promise.resolve();
    },
  };
  return createFailedLogTails(client, ref, view, context)({ event: 'job', build, job });
}
