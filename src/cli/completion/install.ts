import { readFile, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { Context } from '../../context.ts';
import { replaceFile, makeFolder } from '../../common/write-files.ts';
import { CictlError } from '../../errors.ts';
import { scripts } from './scripts.ts';
import type { Shell } from '../own-commands.ts';
import { homeFolder } from '../../config/folders.ts';
import type { Env } from '../../common/env.ts';

/** Writes a shell's script to its usual place, prints the path, and explains what to do next. */
export async function installCompletion(
  shell: Shell,
  { env, out, messages }: Pick<Context, 'env' | 'out' | 'messages'>,
): Promise<void> {
  const place = installPlace(shell, env);
  const isNew = (await readFile(place.path, 'utf8').catch(() => '')) !== scripts[shell];
  if (isNew) await write(place.path, scripts[shell]);
  await out.write(`${place.path}\n`);
  const done = isNew
    ? `wrote the completion script for ${shell}`
    : `the completion script for ${shell} was already installed`;
  messages.note(`${done}; ${nextStep(place)}`);
}

async function write(path: string, text: string): Promise<void> {
  try {
    await makeFolder(dirname(path));
    // If the script is a symbolic link, its target is replaced.
    await replaceFile(await realpath(path).catch(() => path), text, 0o644);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CictlError('machine', `cannot write ${path}: ${reason}`, { cause });
  }
}

function nextStep({ path, load }: InstallPlace): string {
  if (load === undefined) return 'new shells load it automatically';
  const quoted = `'${path.replaceAll("'", `'\\''`)}'`;
  return `${load.when}, add this line to ${load.profile}: ${load.command} ${quoted}`;
}

interface InstallPlace {
  readonly path: string;
  /** How to load the script; undefined if the shell finds it by itself. */
  readonly load?: { readonly when: string; readonly profile: string; readonly command: string };
}

function installPlace(shell: Shell, env: Env): InstallPlace {
  const home = homeFolder(env);
  const data = absolute(env['XDG_DATA_HOME']) ?? join(home, '.local', 'share');
  const config = absolute(env['XDG_CONFIG_HOME']) ?? join(home, '.config');
  switch (shell) {
    case 'fish':
      return { path: join(config, 'fish', 'completions', 'cictl.fish') };
    case 'zsh':
      return {
        path: join(data, 'zsh', 'site-functions', '_cictl'),
        load: { when: 'unless that directory is in fpath', profile: zshrc(env), command: 'source' },
      };
    case 'bash':
      return {
        path: join(bashFolder(env, data), 'completions', 'cictl'),
        load: {
          when: 'if bash-completion is not installed',
          ...{ profile: '~/.bashrc', command: 'source' },
        },
      };
    case 'powershell':
      return {
        path: join(config, 'powershell', 'cictl.ps1'),
        load: { when: 'unless it is already there', profile: '$PROFILE', command: '.' },
      };
  }
}

/** Newer versions of bash-completion accept several directories; the first one is used. */
const bashFolder = (env: Env, data: string): string =>
  absolute(env['BASH_COMPLETION_USER_DIR']?.split(':')[0]) ?? join(data, 'bash-completion');

const zshrc = ({ ZDOTDIR: folder }: Env): string => (folder ? join(folder, '.zshrc') : '~/.zshrc');

const absolute = (path: string | undefined): string | undefined =>
  path !== undefined && isAbsolute(path) ? path : undefined;
