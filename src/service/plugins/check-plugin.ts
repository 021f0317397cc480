import type { JsonObject } from '../pipeline/plan.ts';
import { checkValue } from './check-value.ts';
import { missingCommands } from './missing-commands.ts';
import type { PluginRequest } from './plugin.ts';
import { readDefinition } from './read-definition.ts';

/**
 * Says in the log what does not fit the plugin's own description of itself, its `plugin.yml`. The job
 * goes on all the same: agents look at neither unless they are asked to.
 */
export async function checkPlugin(
  { log, env }: Pick<PluginRequest, 'log' | 'env'>,
  name: string,
  folder: string,
  config: JsonObject | null,
): Promise<void> {
  const { schema, requirements, problem } = await readDefinition(folder);
  if (problem !== null) await log(`Plugin ${name}: its plugin.yml cannot be read: ${problem}`);
  for (const sentence of checkValue(schema, config ?? {}))
    await log(`Plugin ${name}: by its plugin.yml ${sentence}`);
  const missing = await missingCommands(requirements, env['PATH'] ?? '');
  if (missing.length > 0) await log(`Plugin ${name}: needs ${missing.join(', ')}, not on PATH`);
}
