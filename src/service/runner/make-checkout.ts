/** The checkout phase: by a hook where there is one, else as the scheduler makes it. */
import { pluginHooks, repositoryHooks } from './hooks.ts';
import { hasFailed, type JobRun } from './job-run.ts';
import type { Exit } from './start-process.ts';
import type { RunProgram } from '../runner-port.ts';
import { runHooks } from './run-hook.ts';
import { runProcess } from './run-process.ts';

/** Null where it is there; throws the reason where it cannot be made. */
export async function makeCheckout(job: JobRun): Promise<Exit | null> {
  const { checkout } = job.spec;
  const ofPlugins = pluginHooks(job, job.plugins, 'checkout');
  const hooks = ofPlugins.length > 0 ? ofPlugins : repositoryHooks(checkout.source, 'checkout');
  if (hooks.length === 0) {
    enter(job, await checkout.make(runnerOf(job), job.stopper.signal));
    return null;
  }
  enter(job, await checkout.empty());
  job.variables.set({ BUILDKITE_BUILD_CHECKOUT_PATH: job.folder });
  return runHooks(job, hooks);
}

function enter(job: JobRun, folder: string): void {
  // A hook before it may have gone elsewhere, and stays there.
  if (job.cwd === job.folder) job.cwd = folder;
  job.folder = folder;
}

const runnerOf =
  (job: JobRun): RunProgram =>
  async (file, args, cwd) => {
    const env = { ...job.world.git, ...job.variables.get() };
    const exit = await runProcess(job, file, args, env, cwd);
    if (!hasFailed(exit)) return;
    const how = exit.code === null ? `was ended by ${exit.signal}` : `exited with ${exit.code}`;
    throw new Error(`the checkout could not be made: ${file} ${how}`);
  };
