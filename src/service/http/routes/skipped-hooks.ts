import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { env } from 'node:process';
import type { Build, Pipeline } from '../../domain/records.ts';
import type { Step } from '../../pipeline/plan.ts';
import { fetchPlugin } from '../../plugins/fetch-plugin.ts';
import { pluginAction, pluginName, readSource } from '../../plugins/plugin.ts';
import { gitVariables } from '../../runner/host-variables.ts';
import type { ServiceContext } from '../../service-context.ts';

type Parts = Pick<ServiceContext, 'workspaces' | 'host'>;

/** Milliseconds until fetching a plugin times out. Clients only wait for ten seconds. */
const timeout = 5000;

export async function refuseSkippedHooks(
  parts: Parts,
  { folder }: Pick<Pipeline, 'folder'>,
  { options }: Pick<Build, 'options'>,
  steps: readonly Step[],
): Promise<void> {
  const commands = steps.filter((step) => step.type === 'command' && step.omitted === null);
  const uses = commands.flatMap((step) => (step.type === 'command' ? step.plugins : []));
  const sources = uses
    .filter((use) => pluginAction(options.plugins, use) === 'run')
    .map(({ source }) => source);
  const found = hooksIn(join(folder, '.buildkite'), ['post-checkout'], 'the repository');
  const signal = AbortSignal.timeout(timeout);
  for (const source of new Set(sources))
    found.push(...(await hooksOfPlugin(parts, folder, source, signal)));
  if (found.length > 0)
    throw new Error(
      `agents only run these hooks after a checkout, but jobs run in place in ${folder}: ` +
        `${found.join(', ')}; to run them, use cictl run --agents --workspace copy`,
    );
}

/** Returns an empty list if the plugin cannot be fetched, because the job then fails anyway. */
async function hooksOfPlugin(
  { workspaces, host }: Parts,
  folder: string,
  text: string,
  signal: AbortSignal,
): Promise<string[]> {
  const owner = `the plugin ${pluginName(text)}`;
  const source = readSource(text);
  // Before the checkout, agents cannot use a plugin that is in the repository.
  if (source.kind === 'repository')
    return hooksIn(join(folder, source.path), ['post-checkout'], owner);
  const world = { env: { ...gitVariables(env), ...host }, signal, timeout };
  const cache = join(dirname(workspaces), 'plugins');
  const fetched = await fetchPlugin(world, cache, source).catch(() => undefined);
  if (fetched === undefined) return [];
  const names = ['pre-checkout', 'checkout', 'post-checkout'];
  return hooksIn(join(fetched.folder, source.subfolder), names, owner);
}

const hooksIn = (folder: string, names: readonly string[], owner: string): string[] =>
  names
    .filter((name) => existsSync(join(folder, 'hooks', name)))
    .map((name) => `${name} of ${owner}`);
