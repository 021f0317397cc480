import type { PluginUse } from '../pipeline/plan.ts';
import type { PluginAction, PluginPolicy } from '../run-options.ts';
import { pluginName } from './plugin-name.ts';

/** What becomes of a plugin: by its name, in any case of letters, or as of all others. */
export function pluginAction(policy: PluginPolicy, { source }: PluginUse): PluginAction {
  const name = pluginName(source);
  const [, action] =
    Object.entries(policy.named).find(([key]) => key.toLowerCase() === name) ??
    Object.entries(policy.named).find(([key]) => pluginName(key) === name) ??
    [];
  return action ?? policy.default;
}
