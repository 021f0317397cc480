import type { Step } from '../../service/pipeline/plan.ts';
import { pluginName } from '../../service/plugins/plugin-name.ts';
import { namesPlugin } from '../../service/plugins/policy.ts';
import type { PluginPolicy } from '../../service/run-options.ts';
import { didYouMean } from '../../suggest.ts';

/** A line for each name of `--plugins` that no step of the file uses: it is wrong, or comes by an upload. */
export function unusedPlugins(steps: readonly Step[], { named }: PluginPolicy): string[] {
  const names = Object.keys(named);
  if (names.length === 0) return [];
  const used = new Set(
    steps.flatMap((step) =>
      step.type === 'command' ? step.plugins.map(({ source }) => pluginName(source)) : [],
    ),
  );
  const unused = names.filter((name) => ![...used].some((plugin) => namesPlugin(name, plugin)));
  return unused.map(
    (name) =>
      `--plugins names ${name}, which no step of the file uses${didYouMean(name.toLowerCase(), used)}`,
  );
}
