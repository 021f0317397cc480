/** The plugins of a job: those that are fetched first, those of the repository after the checkout. */
import type { PluginUse } from '../pipeline/plan.ts';
import type { ReadyPlugin } from '../plugins/plugin.ts';
import type { JobRun } from './job-run.ts';

export async function fetchPlugins(job: JobRun): Promise<readonly ReadyPlugin[]> {
  const { uses } = job.spec.plugins;
  if (uses.length > 0) await job.say('~~~ Preparing plugins');
  return preparePlugins(
    job,
    uses.filter((use) => !isOfRepository(use)),
    {},
  );
}

export const repositoryPlugins = (job: JobRun): Promise<readonly ReadyPlugin[]> =>
  preparePlugins(job, job.spec.plugins.uses.filter(isOfRepository), { checkout: job.folder });

const isOfRepository = ({ source }: PluginUse): boolean => /^\.\.?(\/|$)/.test(source);

/** Throws the reason where one of them cannot be had. */
async function preparePlugins(
  job: JobRun,
  uses: readonly PluginUse[],
  place: { readonly checkout?: string },
): Promise<readonly ReadyPlugin[]> {
  if (uses.length === 0) return [];
  const source = job.world.plugins;
  if (source === undefined) throw new Error('this service runs no plugins');
  const { policy, from } = job.spec.plugins;
  return source.prepare({
    ...place,
    ...{
      uses,
      policy,
      from,
      cache: source.cache,
      env: { ...job.world.git, ...job.variables.get() },
    },
    ...{ signal: job.stopper.signal, log: (line) => job.say(line) },
  });
}
