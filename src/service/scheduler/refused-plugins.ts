/** The plugins that steps use and that may not run. */
import type { Step } from '../pipeline/plan.ts';
import { pluginName } from '../plugins/source.ts';
import { pluginAction } from '../plugins/policy.ts';
import type { RunOptions } from '../run-options.ts';

/** A line for each of them, with the first step that uses it (`--plugins error`). */
export function refusedPlugins(
  steps: readonly Step[],
  { plugins: policy }: Pick<RunOptions, 'plugins'>,
): string[] {
  const refused = new Map<string, number>();
  for (const step of steps) {
    if (step.type !== 'command' || step.omitted !== null) continue;
    for (const use of step.plugins) {
      const name = pluginName(use.source);
      if (pluginAction(policy, use) === 'error' && !refused.has(name)) refused.set(name, step.line);
    }
  }
  return [...refused].map(
    ([name, line]) =>
      `The step in line ${line} uses the plugin ${name}, which may not run here (--plugins run=${name}, or --plugins skip=${name})`,
  );
}
