import { access, constants, readFile } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { attempt } from '../../common/attempt.ts';
import { parse } from 'yaml';
import type { Json, JsonObject, PluginUse } from '../pipeline/plan.ts';
import { checkValue } from './check-value.ts';
import { locatePlugin } from './fetch-plugin.ts';
import { pluginAction, pluginName, type PluginRequest, type ReadyPlugin } from './plugin.ts';

/** Milliseconds per git command. */
const usualTimeout = 300_000;

/** Throws an error with a one-line message if a plugin is unavailable or not allowed. */
export async function preparePlugins(
  request: PluginRequest,
  timeout = usualTimeout,
): Promise<readonly ReadyPlugin[]> {
  const ready: ReadyPlugin[] = [];
  for (const use of request.uses) {
    const name = pluginName(use.source);
    const action = pluginAction(request.policy, use);
    if (action === 'error')
      throw new Error(
        `plugin ${name} is not allowed here; to allow it, use --plugins run=${name}; to run without it, use --plugins skip=${name}`,
      );
    if (action === 'skip') await request.log(`Plugin ${name}: skipped, as requested`);
    else ready.push(await prepareOne(request, name, use, timeout));
  }
  return ready;
}

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
  throw new Error(`the configuration of plugin ${name} must be a mapping`);
}

/** Violations of `plugin.yml` are only logged, because agents do not check them by default. */
async function checkPlugin(
  { log, env }: Pick<PluginRequest, 'log' | 'env'>,
  name: string,
  folder: string,
  config: JsonObject | null,
): Promise<void> {
  const { schema, requirements, problem } = await readDefinition(folder);
  if (problem !== null) await log(`Plugin ${name}: cannot read its plugin.yml: ${problem}`);
  for (const sentence of checkValue(schema, config ?? {}))
    await log(`Plugin ${name}: according to its plugin.yml, ${sentence}`);
  const missing = await missingCommands(requirements, env['PATH'] ?? '');
  if (missing.length > 0)
    await log(`Plugin ${name}: requires ${missing.join(', ')} (not found on PATH)`);
}

interface Definition {
  readonly schema: Json;
  readonly requirements: readonly string[];
  /** Why the file cannot be read; null if it is valid or missing. */
  readonly problem: string | null;
}

/** Reads `plugin.yml` or `plugin.yaml`. Never rejects. */
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
    try {
      return await readFile(join(folder, name), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return undefined;
}

function definitionOf(value: unknown): Definition {
  if (value === null || value === undefined) return nothing;
  if (typeof value !== 'object' || Array.isArray(value))
    return { ...nothing, problem: 'not a mapping' };
  const { configuration = null, requirements } = value as {
    readonly configuration?: Json;
    readonly requirements?: unknown;
  };
  // A YAML alias inside its own anchor would make the checks endless.
  if (attempt(() => JSON.stringify(configuration)) === undefined)
    return { ...nothing, problem: 'its configuration contains a circular reference' };
  const names = Array.isArray(requirements) ? (requirements as unknown[]) : [requirements];
  return {
    schema: configuration,
    requirements: names.filter((name) => typeof name === 'string'),
    problem: null,
  };
}

async function missingCommands(names: readonly string[], path: string): Promise<string[]> {
  const found = await Promise.all(names.map((name) => isInstalled(name, path.split(delimiter))));
  return names.filter((_, index) => found[index] !== true);
}

async function isInstalled(name: string, folders: readonly string[]): Promise<boolean> {
  const files = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name));
  const found = await Promise.all(files.map(isExecutable));
  return found.includes(true);
}

const isExecutable = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

/**
 * Returns the configuration as variables, with the names that the public agent uses:
 * `BUILDKITE_PLUGIN_DOCKER_IMAGE`, or `…_0`, `…_1` for a list. Adds the plugin's name, and the
 * whole configuration as JSON.
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

function* flatten(prefix: string, value: Json): Generator<[string, string]> {
  if (value === null) return;
  if (typeof value !== 'object') yield [prefix, String(value)];
  else
    for (const [key, member] of Object.entries(value))
      yield* flatten(`${prefix}_${variableName(key)}`, member);
}

/** Keeps other characters, such as dots, although shells do not support them in variable names. */
const variableName = (text: string): string => text.toUpperCase().replace(/[\s-]/g, '_');

/** Returns the variable name that agents before version 4 use. */
const withoutRuns = (name: string): string => name.replace(/_{2,}/g, '_');
