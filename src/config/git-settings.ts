import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { getBuiltinModule } from 'node:process';
import type { Env } from '../common/env.ts';
import type { Layer, SourcedValue } from './sources.ts';

/** Settings in git's configuration. Starts git only if a file may contain such a setting. */
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

/** If a name occurs twice, the last value wins, as in git. Empty if git is missing. */
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

/** Avoids starting git, which takes longer than cictl itself and is rarely needed. */
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

const bare = (folder: string): string[] => (read(join(folder, 'HEAD')) === '' ? [] : [folder]);

function linked(folder: string): string[] {
  const common = read(join(folder, 'commondir')).trim();
  return common === '' ? [folder] : [folder, resolve(folder, common)];
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
