/** Directories for cictl's files. */
import { homedir, userInfo } from 'node:os';
import { posix, resolve, win32, dirname, join } from 'node:path';
import { existsSync } from 'node:fs';
import { CictlError } from '../errors.ts';
import type { Env } from '../common/env.ts';

type FolderKind = 'config' | 'data' | 'cache';

export const configDir = (env: Env, platform = process.platform): string =>
  folder('config', env, platform);

export const dataDir = (env: Env, platform = process.platform): string =>
  folder('data', env, platform);

/** The directory whose contents may be deleted at any time. */
export const cacheDir = (env: Env, platform = process.platform): string =>
  folder('cache', env, platform);

function folder(kind: FolderKind, env: Env, platform: NodeJS.Platform): string {
  const chosen = env[`CICTL_${kind.toUpperCase()}_DIR`];
  if (chosen !== undefined && chosen !== '') return resolve(chosen);
  if (platform === 'win32') return windowsFolder(kind, env);
  return platform === 'darwin' ? macFolder(kind, env) : linuxFolder(kind, env);
}

/** XDG base directories are ignored unless they are absolute. */
function linuxFolder(kind: FolderKind, env: Env): string {
  const chosen = env[`XDG_${kind.toUpperCase()}_HOME`] ?? '';
  const usual = { config: '.config', data: '.local/share', cache: '.cache' }[kind];
  const base = posix.isAbsolute(chosen) ? chosen : posix.join(homeFolder(env), usual);
  return posix.join(base, 'cictl');
}

function macFolder(kind: FolderKind, env: Env): string {
  const base = { config: 'Preferences', data: 'Application Support', cache: 'Caches' }[kind];
  return posix.join(homeFolder(env), 'Library', base, 'cictl');
}

function windowsFolder(kind: FolderKind, env: Env): string {
  const roaming = env['APPDATA'] ?? win32.join(homeFolder(env), 'AppData', 'Roaming');
  const local = env['LOCALAPPDATA'] ?? win32.join(homeFolder(env), 'AppData', 'Local');
  const leaf = { config: 'Config', data: 'Data', cache: 'Cache' }[kind];
  return win32.join(kind === 'config' ? roaming : local, 'cictl', leaf);
}

/** Ignores a relative HOME, because tokens and logs would end up in the working directory. */
export function homeFolder(env: Env): string {
  const named = [env['HOME'], env['USERPROFILE']].find(isAbsolute);
  try {
    return named ?? [homedir()].find(isAbsolute) ?? userInfo().homedir;
  } catch (cause) {
    throw new CictlError('machine', 'this user has no home directory', {
      ...{ cause, hint: 'set HOME' },
    });
  }
}

const isAbsolute = (path: string | undefined): path is string =>
  path !== undefined && win32.isAbsolute(path);

export const findLauncher = () => ({
  node: process.execPath,
  script: above(import.meta.dirname, join('bin', 'cictl.js')),
});

function above(folder: string, name: string): string {
  const path = join(folder, name);
  if (existsSync(path)) return path;
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`no ${name} above ${import.meta.dirname}`);
  return above(parent, name);
}
