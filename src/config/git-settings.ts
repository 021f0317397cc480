/** `git config cictl.org` and `cictl.pipeline`: of the checkout, the user or the machine. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { getBuiltinModule } from 'node:process';
import type { Env } from '../common/env.ts';
import type { Layer, SourcedValue } from './sources.ts';

/** Reads nothing before it is asked, and starts git only where a file may have such a name. */
export function gitLayer(env: Env, cwd: string): Layer {
  let names: ReadonlyMap<string, string> | undefined;
  return {
    kind: 'git',
    get: (key): SourcedValue | undefined => {
      if (key !== 'org' && key !== 'pipeline') return undefined;
      names ??= mayHaveNames(env, cwd) ? readNames(env, cwd) : new Map();
      const value = names.get(`cictl.${key}`);
      return value ? { value, source: `git config cictl.${key}` } : undefined;
    },
  };
}

/** The last value of a name counts, as git has it. Without git there is none. */
function readNames(env: Env, cwd: string): Map<string, string> {
  const { spawnSync } = getBuiltinModule('node:child_process');
  const { error, stdout } = spawnSync(
    'git',
    ['config', '-z', '--get-regexp', String.raw`^cictl\.(org|pipeline)$`],
    { cwd, env: { ...env }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  if (error !== undefined) return new Map();
  const entries = stdout.split('\0').filter(Boolean);
  return new Map(entries.map((entry) => splitOnce(entry, '\n')));
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** A process costs more than the whole start: most users have no such name. */
function mayHaveNames(env: Env, cwd: string): boolean {
  const variables = ['GIT_CONFIG_COUNT', 'GIT_CONFIG_PARAMETERS', 'GIT_DIR'];
  if (variables.some((name) => env[name])) return true;
  return [...ownFiles(env), ...checkoutFiles(cwd)].some((path) =>
    /^\s*\[\s*(?:cictl|include)/im.test(read(path)),
  );
}

function ownFiles(env: Env): string[] {
  const system = env['GIT_CONFIG_SYSTEM'] || '/etc/gitconfig';
  const global = env['GIT_CONFIG_GLOBAL'];
  if (global) return [system, global];
  const home = env['HOME'] || env['USERPROFILE'] || '';
  const config = env['XDG_CONFIG_HOME'] || join(home, '.config');
  return [system, join(home, '.gitconfig'), join(config, 'git/config')];
}

/** Those of the nearest repository; in a worktree `.git` is a file that leads to it. */
function checkoutFiles(cwd: string): string[] {
  for (let at = resolve(cwd); ; at = dirname(at)) {
    const link = /^gitdir: (.*)$/m.exec(read(join(at, '.git')))?.[1];
    const folders =
      link === undefined ? [join(at, '.git'), ...bare(at)] : linked(resolve(at, link));
    const files = folders.flatMap((folder) => [
      join(folder, 'config'),
      join(folder, 'config.worktree'),
    ]);
    if (files.some((path) => read(path) !== '')) return files;
    if (at === dirname(at)) return [];
  }
}

/** A repository without a checkout lies in the folder itself. */
const bare = (folder: string): string[] => (read(join(folder, 'HEAD')) === '' ? [] : [folder]);

function linked(folder: string): string[] {
  const common = read(join(folder, 'commondir')).trim();
  return common === '' ? [folder] : [folder, resolve(folder, common)];
}

/** What cannot be read has nothing to say. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
