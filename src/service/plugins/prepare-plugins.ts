/** The plugins of a job, ready to run. */
import type { Json, JsonObject, PluginUse } from '../pipeline/plan.ts';
import { checkPlugin } from './check-plugin.ts';
import { locatePlugin } from './locate-plugin.ts';
import { pluginName } from './plugin-name.ts';
import type { PluginRequest, ReadyPlugin } from './plugin.ts';
import { pluginAction } from './policy.ts';
import { pluginVariables } from './variables.ts';

/** Milliseconds for one call of git. */
const usualTimeout = 300_000;

/**
 * Fetches what has to be fetched, one plugin after the other, and says in the log where each comes
 * from. Throws one line with what to do where one cannot be had or may not run.
 */
export async function preparePlugins(
  request: PluginRequest,
  timeout = usualTimeout,
): Promise<readonly ReadyPlugin[]> {
  const ready: ReadyPlugin[] = [];
  for (const use of request.uses) {
    const name = pluginName(use.source);
    const action = pluginAction(request.policy, use);
    if (action === 'error') throw new Error(refusal(name));
    if (action === 'skip') await request.log(`Plugin ${name}: skipped, as asked for`);
    else ready.push(await prepareOne(request, name, use, timeout));
  }
  return ready;
}

const refusal = (name: string): string =>
  `plugin ${name} may not run here; --plugins run=${name} lets it, --plugins skip=${name} leaves it out`;

async function prepareOne(
  request: PluginRequest,
  name: string,
  use: PluginUse,
  timeout: number,
): Promise<ReadyPlugin> {
  const config = configurationOf(name, use.config);
  const place = await locatePlugin(request, { name, text: use.source, timeout });
  const { files, folder, isOfRepository } = place;
  if (files !== null) await checkPlugin(request, name, files, config);
  return { name, folder, isOfRepository, env: pluginVariables(name, config) };
}

function configurationOf(name: string, config: Json): JsonObject | null {
  if (config === null || (typeof config === 'object' && !Array.isArray(config)))
    return config as JsonObject | null;
  throw new Error(`plugin ${name}: its configuration must be a map`);
}
