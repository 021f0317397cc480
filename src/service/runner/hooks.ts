/** The hooks of a job: which there are, and in which order they run. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadyPlugin } from '../plugins/plugin.ts';
import type { JobRun } from './job-run.ts';

export interface Hook {
  readonly name: string;
  /** `repository`, or `plugin docker`. */
  readonly owner: string;
  readonly scope: 'local' | 'plugin';
  readonly file: string;
  /** Variables for it alone. */
  readonly env: Readonly<Record<string, string>>;
}

/** Why a hook has failed that did not say so itself: what follows its name in a sentence. */
export class HookFailure extends Error {
  override readonly name = 'HookFailure';
}

/** The hook of the repository, then those of the plugins in their order. */
export const hooksOf = (job: JobRun, name: string): Hook[] => [
  ...repositoryHooks(job.folder, name),
  ...pluginHooks(job, job.plugins, name),
];

/**
 * The same before the checkout, where the folder is there already. Agents have none of the
 * repository then, and the log says so.
 */
export async function earlyHooks(job: JobRun, name: string): Promise<Hook[]> {
  const hooks = hooksOf(job, name);
  if (hooks.some(({ scope }) => scope === 'local'))
    await job.say(
      `\x1b[90m# agents run no ${name} hook of a repository: they have it later\x1b[0m`,
    );
  return hooks;
}

/** Of the repository that is in the folder: none or one. */
export const repositoryHooks = (folder: string, name: string): Hook[] =>
  existing([
    {
      ...{ name, owner: 'repository', scope: 'local', env: {} },
      file: join(folder, '.buildkite/hooks', name),
    },
  ]);

export const pluginHooks = (job: JobRun, plugins: readonly ReadyPlugin[], name: string): Hook[] =>
  existing(plugins.map((plugin) => hookOf(job, plugin, name)));

/** Where the files of a plugin are. */
const folderOf = ({ folder }: JobRun, plugin: ReadyPlugin): string =>
  plugin.isOfRepository ? join(folder, plugin.folder) : plugin.folder;

const hookOf = (job: JobRun, plugin: ReadyPlugin, name: string): Hook => ({
  ...{ name, owner: `plugin ${plugin.name}`, scope: 'plugin', env: plugin.env },
  file: join(folderOf(job, plugin), 'hooks', name),
});

/** Asked eight times a job, and quicker than to hand the question to another thread. */
const existing = (hooks: readonly Hook[]): Hook[] => hooks.filter(({ file }) => existsSync(file));
