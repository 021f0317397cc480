import type { PluginUse } from '../pipeline/plan.ts';
import type { PluginAction, PluginPolicy } from '../run-options.ts';
import { pluginName } from './source.ts';

/** What becomes of a plugin: by its name, in any case of letters, or as of all others. */
export function pluginAction(policy: PluginPolicy, { source }: PluginUse): PluginAction {
  const name = pluginName(source);
  const [, action] =
    Object.entries(policy.named).find(([key]) => key.toLowerCase() === name) ??
    Object.entries(policy.named).find(([key]) => namesPlugin(key, name)) ??
    [];
  return action ?? policy.default;
}

/** Whether a key of `named` means the plugin with this name. */
export const namesPlugin = (key: string, name: string): boolean =>
  key.toLowerCase() === name || pluginName(key) === name;
