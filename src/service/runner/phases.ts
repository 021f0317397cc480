/** The phases of a job, in the order of the public agent. */
import { statSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { attempt } from '../../common/attempt.ts';
import type { PluginUse } from '../pipeline/plan.ts';
import type { ReadyPlugin } from '../plugins/plugin.ts';
import type { RunProgram } from '../runner-port.ts';
import { earlyHooks, hooksOf, pluginHooks, quote, repositoryHooks, runHooks } from './hooks.ts';
import {
  beginPart,
  complain,
  fits,
  hasFailed,
  makeScratch,
  runProcess,
  type JobRun,
} from './job-run.ts';
import type { Exit } from './start-process.ts';

export async function runPhases(job: JobRun): Promise<Exit> {
  return (await prepareJob(job)) ?? (await work(job));
}

/** Returns null if no hook failed. */
export const runLastHooks = (job: JobRun): Promise<Exit | null> =>
  runHooks(job, hooksOf(job, 'pre-exit'));

async function prepareJob(job: JobRun): Promise<Exit | null> {
  job.plugins = await fetchPlugins(job);
  return (
    (await runHooks(job, await earlyHooks(job, 'environment'))) ??
    (await runHooks(job, await earlyHooks(job, 'pre-checkout'))) ??
    (await makeCheckout(job)) ??
    (await runHooks(job, hooksOf(job, 'post-checkout'))) ??
    (await addRepositoryPlugins(job))
  );
}

async function fetchPlugins(job: JobRun): Promise<readonly ReadyPlugin[]> {
  const { uses } = job.spec.plugins;
  if (uses.length > 0) await job.say('~~~ Preparing plugins');
  return preparePlugins(
    job,
    uses.filter((use) => !isOfRepository(use)),
    {},
  );
}

async function addRepositoryPlugins(job: JobRun): Promise<Exit | null> {
  const uses = job.spec.plugins.uses.filter(isOfRepository);
  const ofRepository = await preparePlugins(job, uses, { checkout: job.folder });
  job.plugins = [...job.plugins, ...ofRepository];
  return runHooks(job, pluginHooks(job, ofRepository, 'environment'));
}

const isOfRepository = ({ source }: PluginUse): boolean => /^\.\.?(\/|$)/.test(source);

async function preparePlugins(
  job: JobRun,
  uses: readonly PluginUse[],
  place: { readonly checkout?: string },
): Promise<readonly ReadyPlugin[]> {
  if (uses.length === 0) return [];
  const source = job.world.plugins;
  if (source === undefined) throw new Error('this service does not support plugins');
  const { policy, from } = job.spec.plugins;
  const env = { ...job.world.git, ...job.variables.get() };
  return source.prepare({
    ...place,
    ...{ uses, policy, from, cache: source.cache, env },
    ...{ signal: job.stopper.signal, log: (line) => job.say(line) },
  });
}

/** Returns null on success. Throws the reason if the checkout cannot be created. */
async function makeCheckout(job: JobRun): Promise<Exit | null> {
  const { checkout } = job.spec;
  const ofPlugins = pluginHooks(job, job.plugins, 'checkout');
  const hooks = ofPlugins.length > 0 ? ofPlugins : repositoryHooks(checkout.source, 'checkout');
  if (hooks.length === 0) {
    enter(job, await checkout.make(checkoutRunner(job), job.stopper.signal));
    return null;
  }
  enter(job, await checkout.empty());
  job.variables.set({ BUILDKITE_BUILD_CHECKOUT_PATH: job.folder });
  return runHooks(job, hooks);
}

function enter(job: JobRun, folder: string): void {
  // If an earlier hook has changed the working directory, keeps that directory.
  if (job.cwd === job.folder) job.cwd = folder;
  job.folder = folder;
}

const checkoutRunner =
  (job: JobRun): RunProgram =>
  async (file, args, cwd) => {
    const env = { ...job.world.git, ...job.variables.get() };
    const exit = await runProcess(job, file, args, env, cwd);
    if (!hasFailed(exit)) return;
    const how =
      exit.code === null ? `was terminated by ${exit.signal}` : `exited with code ${exit.code}`;
    throw new Error(`cannot create the checkout: ${file} ${how}`);
  };

/** Runs the command and its hooks, then uploads artifacts. Returns the last failure, if any. */
async function work(job: JobRun): Promise<Exit> {
  const exit = (await runHooks(job, hooksOf(job, 'pre-command'))) ?? (await perform(job));
  if (job.stopper.reason !== null) return exit;
  return (await uploadArtifacts(job)) ?? exit;
}

async function perform(job: JobRun): Promise<Exit> {
  const exit = await runCommandPhase(job);
  job.variables.set({ BUILDKITE_COMMAND_EXIT_STATUS: String(exit.code ?? -1) });
  if (job.stopper.reason !== null) return exit;
  if (hasFailed(exit)) {
    const { code, signal } = exit;
    await complain(
      job,
      code === null
        ? `The command was interrupted by a signal: ${signal ?? ''}`
        : `The command exited with status ${code}`,
    );
  }
  return (await runHooks(job, hooksOf(job, 'post-command'))) ?? exit;
}

/** Command hooks replace the command. The plugins' hooks take precedence over the repository's. */
async function runCommandPhase(job: JobRun): Promise<Exit> {
  const ofPlugins = pluginHooks(job, job.plugins, 'command');
  const hooks = ofPlugins.length > 0 ? ofPlugins : repositoryHooks(job.folder, 'command');
  if (hooks.length === 0) return runCommand(job);
  return (await runHooks(job, hooks)) ?? { code: 0, signal: null };
}

/** The command is a script or a file name. As on agents, hooks cannot change it. */
async function runCommand(job: JobRun): Promise<Exit> {
  const { command } = job.spec;
  if (command.trim() === '' && job.spec.plugins.uses.length > 0) return runNothing(job);
  const file = await fileNamed(job, command);
  const script = file === null ? command : word(`./${file}`);
  await beginPart(job, file === null ? 'Running commands' : 'Running script', script);
  return runProcess(job, job.world.bash, ['-e', '-c', await passable(job, script)]);
}

/** A step without a command fails, unless the user has chosen to skip all its plugins. */
async function runNothing(job: JobRun): Promise<Exit> {
  if (job.plugins.length === 0) {
    await job.say('cictl: nothing to run: the step only has plugins, and they are skipped');
    return { code: 0, signal: null };
  }
  await complain(job, 'the step has no command, and none of its plugins has a command hook');
  return { code: 1, signal: null };
}

const word = (path: string): string => (/^[\w@%+=:,./-]+$/.test(path) ? path : quote(path));

async function fileNamed({ cwd }: JobRun, command: string): Promise<string | null> {
  const name = command.replace(/\n+$/, '');
  if (name === '' || name.includes('\n') || name.includes('\0')) return null;
  const path = join(cwd, name);
  // `statSync` throws if the name is too long.
  const found = attempt(() => statSync(path, { throwIfNoEntry: false }));
  if (found === undefined || path === cwd) return null;
  // If `chmod` fails, the error is reported when the file is run.
  if (found.isFile()) await chmod(path, found.mode | 0o100).catch(() => undefined);
  return relative(cwd, path);
}

/** Writes a script to a file if it is too long for an argument. */
async function passable(job: JobRun, script: string): Promise<string> {
  if (fits(script)) return script;
  const { spec } = job;
  makeScratch(job);
  const file = join(spec.scratch, 'command');
  await writeFile(file, script, { mode: 0o600 });
  return `eval "$(< ${quote(file)})"`;
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
