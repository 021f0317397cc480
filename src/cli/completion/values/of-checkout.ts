import { isBuiltInAddress, isFromCurrentProfile } from '../../../config/setting-origins.ts';
import type { Settings } from '../../../config/settings.ts';
import { git } from '../../../common/git.ts';
import { addedFrom, rememberedBy, withRemote } from '../../../refs/checkout-pipelines.ts';
import { openRemembered } from '../../remembered.ts';
import type { Question } from './ask-service.ts';
import { objectsOf } from './members.ts';
import type { World } from './world.ts';

/**
 * The settings with the pipeline of the checkout, as commands find it. Only the built-in service is
 * asked for it; of others counts what is remembered.
 */
export async function withCheckoutPipeline(
  settings: Settings,
  { env, cwd, clock }: World,
  request: (question: Pick<Question, 'api' | 'path' | 'query'>) => Promise<unknown>,
): Promise<Settings> {
  const { org, baseUrl } = settings;
  const isNamed = settings.pipeline !== undefined && !isFromCurrentProfile(settings, 'pipeline');
  if (isNamed || org === undefined) return settings;
  const { all: remotes } = await git.remotes(cwd);
  const known = async (): Promise<readonly string[]> => {
    if (!isBuiltInAddress(settings, env)) {
      const key = rememberedBy(baseUrl, org, remotes);
      return (await openRemembered(settings, env, clock).get(key)) ?? [];
    }
    const path = ['v2', 'organizations', org, 'pipelines'];
    const all = objectsOf(await request({ api: 'rest', path, query: { per_page: 100 } }));
    const own = addedFrom(cwd, all);
    return own.length > 0 ? own : withRemote(all, remotes);
  };
  const [pipeline, ...others] = await known().catch(() => []);
  return pipeline === undefined || others.length > 0 ? settings : { ...settings, pipeline };
}
