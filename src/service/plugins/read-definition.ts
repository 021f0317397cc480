/** `plugin.yml`, what a plugin says of itself. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Json } from '../pipeline/plan.ts';

export interface Definition {
  /** JSON schema of its configuration; null where it has none. */
  readonly schema: Json;
  /** Names of commands that it needs. */
  readonly requirements: readonly string[];
  /** Why the file cannot be read; null where it can, or is not there. */
  readonly problem: string | null;
}

/** From `plugin.yml` or `plugin.yaml` in its folder. Never rejects. */
export async function readDefinition(folder: string): Promise<Definition> {
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
