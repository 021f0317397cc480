/** The configuration of a plugin as variables, named as by the public agent. */
import type { Json, JsonObject } from '../pipeline/plan.ts';

/**
 * `BUILDKITE_PLUGIN_DOCKER_IMAGE` and so on, with `BUILDKITE_PLUGIN_NAME` and all of it as JSON. A list
 * gives `_0`, `_1`; null gives no variable.
 */
export function pluginVariables(name: string, config: JsonObject | null): Record<string, string> {
  const upper = variableName(name);
  const values = [...flatten(`BUILDKITE_PLUGIN_${upper}`, config ?? {})];
  return {
    ...Object.fromEntries(values.map(([key, value]) => [withoutRuns(key), value])),
    ...Object.fromEntries(values),
    BUILDKITE_PLUGIN_NAME: upper,
    BUILDKITE_PLUGIN_CONFIGURATION: JSON.stringify(config ?? {}),
  };
}

/** All that is neither list nor map, by the name of its variable. */
function* flatten(prefix: string, value: Json): Generator<[string, string]> {
  if (value === null) return;
  if (typeof value !== 'object') yield [prefix, String(value)];
  else
    for (const [key, member] of Object.entries(value))
      yield* flatten(`${prefix}_${variableName(key)}`, member);
}

/** Only these become underscores: a dot stays, and is read by `printenv` alone. */
const variableName = (text: string): string => text.toUpperCase().replace(/[\s-]/g, '_');

/** Agents before version 4 know it by this name too. */
const withoutRuns = (name: string): string => name.replace(/_{2,}/g, '_');
