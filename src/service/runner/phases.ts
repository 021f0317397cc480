/** The phases of a job, in the order of the public agent. */
import { earlyHooks, hooksOf, pluginHooks, repositoryHooks } from './hooks.ts';
import { beginPart, complain, hasFailed, type JobRun } from './job-run.ts';
import { runCommand } from './command.ts';
import { makeCheckout } from './make-checkout.ts';
import { fetchPlugins, repositoryPlugins } from './job-plugins.ts';
import { runHooks } from './run-hook.ts';
import { runProcess } from './run-process.ts';
import type { Exit } from './start-process.ts';

/** Runs them all; resolves to how the job ended. Throws the reason where a phase cannot be run. */
export async function runPhases(job: JobRun): Promise<Exit> {
  return (await prepareJob(job)) ?? (await work(job));
}

/** Always the last, whatever came before; null where none has failed. */
export const runLastHooks = async (job: JobRun): Promise<Exit | null> =>
  runHooks(job, hooksOf(job, 'pre-exit'));

/** Up to the checkout with all plugins; null where nothing has failed. */
async function prepareJob(job: JobRun): Promise<Exit | null> {
  const fetched = await fetchPlugins(job);
  job.plugins = fetched;
  return (
    (await runHooks(job, await earlyHooks(job, 'environment'))) ??
    (await runHooks(job, await earlyHooks(job, 'pre-checkout'))) ??
    (await makeCheckout(job)) ??
    (await runHooks(job, hooksOf(job, 'post-checkout'))) ??
    (await addRepositoryPlugins(job))
  );
}

async function addRepositoryPlugins(job: JobRun): Promise<Exit | null> {
  const ofRepository = await repositoryPlugins(job);
  job.plugins = [...job.plugins, ...ofRepository];
  return runHooks(job, pluginHooks(job, ofRepository, 'environment'));
}

/** The command with the hooks around it, then its artifacts; what fails last counts. */
async function work(job: JobRun): Promise<Exit> {
  const exit = (await runHooks(job, hooksOf(job, 'pre-command'))) ?? (await perform(job));
  if (job.stopper.reason !== null) return exit;
  return (await uploadArtifacts(job)) ?? exit;
}

async function perform(job: JobRun): Promise<Exit> {
  const exit = await runCommandPhase(job);
  job.variables.set({ BUILDKITE_COMMAND_EXIT_STATUS: String(exit.code ?? -1) });
  if (job.stopper.reason !== null) return exit;
  if (hasFailed(exit)) await complain(job, sentenceOf(exit));
  return (await runHooks(job, hooksOf(job, 'post-command'))) ?? exit;
}

/** Hooks of plugins take the place of the command, else the one of the repository. */
async function runCommandPhase(job: JobRun): Promise<Exit> {
  const ofPlugins = pluginHooks(job, job.plugins, 'command');
  const hooks = ofPlugins.length > 0 ? ofPlugins : repositoryHooks(job.folder, 'command');
  if (hooks.length === 0) return runCommand(job);
  return (await runHooks(job, hooks)) ?? { code: 0, signal: null };
}

async function uploadArtifacts(job: JobRun): Promise<Exit | null> {
  const paths = job.variables.get()['BUILDKITE_ARTIFACT_PATHS'] ?? '';
  if (paths === '') return null;
  return (
    (await runHooks(job, hooksOf(job, 'pre-artifact'))) ??
    (await upload(job, paths)) ??
    (await runHooks(job, hooksOf(job, 'post-artifact')))
  );
}

async function upload(job: JobRun, paths: string): Promise<Exit | null> {
  await beginPart(job, 'Uploading artifacts', `buildkite-agent artifact upload ${paths}`);
  const exit = await runProcess(job, 'buildkite-agent', ['artifact', 'upload', paths]);
  return hasFailed(exit) ? exit : null;
}

const sentenceOf = ({ code, signal }: Exit): string =>
  code === null
    ? `The command was interrupted by a signal: ${signal ?? ''}`
    : `The command exited with status ${code}`;
