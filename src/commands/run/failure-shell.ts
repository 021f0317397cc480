/** Implements `--shell-on-failure`: opens a shell in the directory of a failed job. */
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
 * Prints the last lines of the failed job's log, then opens a shell in the job's directory with its
 * environment and secrets. Prompts if several jobs failed. Resolves when the shell has exited.
 */
export async function openFailureShell(run: FailedRun, context: Context): Promise<void> {
  const job = await chooseJob(run.build, context);
  if (job === undefined) return;
  const { env = {} } = await run.client.jobs.env({ ...run.ref, job: job.id ?? '' });
  const variables = { ...texts(env ?? {}), ...secretsOf(job, run) };
  const title = cleanLine(jobTitle(job));
  const cwd = variables['BUILDKITE_BUILD_CHECKOUT_PATH'] ?? '';
  if (!(await isFolder(cwd))) {
    context.messages.note(`cannot open a shell for "${title}": its directory was removed`);
    return;
  }
  await printEnd(job, run, context);
  context.messages.note(
    `opening a shell in ${cwd} with the environment of "${title}"; type exit to leave it`,
  );
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
  return prompts.choose('Open a shell for which job?', choices).catch(noneUnlessInterrupted);
}

/** If standard input is closed, opens no shell. The exit code is then that of the build. */
function noneUnlessInterrupted(error: unknown): undefined {
  if (!(error instanceof CictlError) || error.kind !== 'usage') throw error;
}

const texts = (env: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]));

/** The API does not say which step a job belongs to, so they are matched by key or command. */
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
