/** The plugins of a job, ready to run. */
import { readFile, access, constants } from 'node:fs/promises';
import { join, delimiter, isAbsolute } from 'node:path';
import { parse } from 'yaml';
import type { Json, JsonObject, PluginUse } from '../pipeline/plan.ts';
import { locatePlugin } from './fetch-plugin.ts';
import { pluginName } from './source.ts';
import type { PluginRequest, ReadyPlugin } from './plugin.ts';
import { pluginAction } from './policy.ts';
import { checkValue } from './check-value.ts';

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

/**
 * Says in the log what does not fit the plugin's own description of itself, its `plugin.yml`. The job
 * goes on all the same: agents look at neither unless they are asked to.
 */
async function checkPlugin(
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

// `plugin.yml`, what a plugin says of itself.

interface Definition {
  /** JSON schema of its configuration; null where it has none. */
  readonly schema: Json;
  /** Names of commands that it needs. */
  readonly requirements: readonly string[];
  /** Why the file cannot be read; null where it can, or is not there. */
  readonly problem: string | null;
}

/** From `plugin.yml` or `plugin.yaml` in its folder. Never rejects. */
async function readDefinition(folder: string): Promise<Definition> {
  try {
    return definitionOf(parse((await readText(folder)) ?? '', { logLevel: 'error' }));
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.split('\n') : [];
    return { ...nothing, problem: reason.replace(/:$/, '') };
  }
}

const nothing: Definition = { schema: null, requirements: [], problem: null };

async function readText(folder: string): Promise<string | undefined> {
  for (const name of ['plugin.yml', 'plugin.yaml']) {
    const text = await readFile(join(folder, name), 'utf8').catch(undefinedWhereMissing);
    if (text !== undefined) return text;
  }
  return undefined;
}

function undefinedWhereMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

function definitionOf(value: unknown): Definition {
  if (value === null || value === undefined) return nothing;
  if (typeof value !== 'object' || Array.isArray(value))
    return { ...nothing, problem: 'it is no map' };
  const { configuration = null, requirements } = value as {
    readonly configuration?: Json;
    readonly requirements?: unknown;
  };
  if (isCircular(configuration))
    return { ...nothing, problem: 'its configuration contains itself' };
  const names = Array.isArray(requirements) ? (requirements as unknown[]) : [requirements];
  return {
    schema: configuration,
    requirements: names.filter((name) => typeof name === 'string'),
    problem: null,
  };
}

/** By an alias of YAML within its own anchor: a check would never come to its end. */
function isCircular(value: Json): boolean {
  try {
    JSON.stringify(value);
    return false;
  } catch {
    return true;
  }
}

/** Those of the commands that no folder of `path` has, in their order. */
async function missingCommands(names: readonly string[], path: string): Promise<string[]> {
  const found = await Promise.all(names.map((name) => isThere(name, path.split(delimiter))));
  return names.filter((_, index) => found[index] !== true);
}

async function isThere(name: string, folders: readonly string[]): Promise<boolean> {
  const files = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name));
  const found = await Promise.all(files.map(isExecutable));
  return found.includes(true);
}

const isExecutable = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

// The configuration of a plugin as variables, named as by the public agent.

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
