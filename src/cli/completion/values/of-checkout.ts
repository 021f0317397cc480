import type { Settings } from '../../../config/settings.ts';
import { git } from '../../../git.ts';
import { repositoryName } from '../../../refs/same-repository.ts';
import { openRemembered } from '../../remembered.ts';
import type { World } from './world.ts';

/**
 * The settings with the pipeline that is remembered for the checkout's remote, where they have none:
 * commands that read take it, too. Nothing is asked for it.
 */
export async function withRememberedPipeline(
  settings: Settings,
  { env, cwd, clock }: World,
): Promise<Settings> {
  const { org, baseUrl } = settings;
  if (settings.pipeline !== undefined || org === undefined) return settings;
  const remote = await git.remote(cwd);
  if (remote === undefined) return settings;
  const key = [baseUrl, org, repositoryName(remote)];
  const [pipeline, ...others] = (await openRemembered(settings, env, clock).get(key)) ?? [];
  return pipeline === undefined || others.length > 0 ? settings : { ...settings, pipeline };
}
