/** The flags of `run` as what the service is asked for. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import type { RunRequest } from '../../service/admin.ts';
import type { RunOptions } from '../../service/run-options.ts';
import { givenSecrets } from './given-secrets.ts';
import type { runCommand } from './index.ts';
import { inheritedVariables } from './inherited-variables.ts';
import { parsePluginPolicy } from './plugin-policy.ts';

export type RunInput = Input<typeof runCommand>;

/** How the jobs run, beside which pipeline they are of. */
export type RunSettings = Pick<RunRequest, 'workspace' | 'hostEnv' | 'only'> & {
  readonly options: RunOptions;
};

/** Code 2 for values that make no sense; asks for secrets on a terminal. */
export async function runSettings(input: RunInput, context: Context): Promise<RunSettings> {
  const { workspace, step: steps, needs, from, triggers } = input;
  const { allowUnknownKeys, ignoreMissingDependencies } = input;
  const plugins = parsePluginPolicy(input.plugins);
  const pluginsFrom = await folderOf(input.pluginsFrom, context);
  const secrets = await givenSecrets(input, context);
  return {
    ...(workspace !== undefined && {
      workspace: workspace as NonNullable<RunSettings['workspace']>,
    }),
    ...(input.inheritEnv && { hostEnv: inheritedVariables(context.env) }),
    // A step of another build is all that there is.
    ...(steps.length > 0 && input.fromBuild === undefined && { only: { steps, needs } }),
    ...(from !== undefined && { only: { from } }),
    options: {
      ...{ plugins, pluginsFrom, secrets, tty: !input.noTty },
      triggers: triggers === 'skip' ? 'skip' : 'error',
      ...{ allowUnknownKeys, ignoreMissingDependencies },
      runsOn: input.agents ? 'agents' : 'slots',
    },
  };
}

async function folderOf(path: string | undefined, { cwd }: Context): Promise<string | null> {
  if (path === undefined) return null;
  const folder = resolve(cwd, path);
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() === true) return folder;
  throw usageError(
    `--plugins-from ${path}: ${found ? 'it is no folder' : 'there is no such folder'}`,
  );
}
