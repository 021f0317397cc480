import { isAbsolute, join } from 'node:path';
import { homeFolder } from '../../config/folders.ts';
import type { Env } from '../../common/env.ts';
import type { Shell } from './shells.ts';

/** Where the script of a shell belongs. */
export interface InstallPlace {
  readonly path: string;
  /** What the user has to do for it to be loaded; undefined where the shell finds it by itself. */
  readonly load?: { readonly when: string; readonly profile: string; readonly command: string };
}

/** The place where a shell looks by itself, else one where files of that kind belong. */
export function installPlace(shell: Shell, env: Env): InstallPlace {
  const home = homeFolder(env);
  const data = absolute(env['XDG_DATA_HOME']) ?? join(home, '.local', 'share');
  const config = absolute(env['XDG_CONFIG_HOME']) ?? join(home, '.config');
  switch (shell) {
    case 'fish':
      return { path: join(config, 'fish', 'completions', 'cictl.fish') };
    case 'zsh':
      return {
        path: join(data, 'zsh', 'site-functions', '_cictl'),
        load: { when: 'unless that folder is in fpath', profile: zshrc(env), command: 'source' },
      };
    case 'bash':
      return {
        path: join(bashFolder(env, data), 'completions', 'cictl'),
        load: {
          when: 'where bash-completion is not installed',
          ...{ profile: '~/.bashrc', command: 'source' },
        },
      };
    case 'powershell':
      return {
        path: join(config, 'powershell', 'cictl.ps1'),
        load: { when: 'unless it is there', profile: '$PROFILE', command: '.' },
      };
  }
}

/** The first of several folders, as that of a variable of newer versions of bash-completion. */
const bashFolder = (env: Env, data: string): string =>
  absolute(env['BASH_COMPLETION_USER_DIR']?.split(':')[0]) ?? join(data, 'bash-completion');

/** Zsh reads its files elsewhere where `ZDOTDIR` says so. */
const zshrc = ({ ZDOTDIR: folder }: Env): string => (folder ? join(folder, '.zshrc') : '~/.zshrc');

/** What is relative does not count. */
const absolute = (path: string | undefined): string | undefined =>
  path !== undefined && isAbsolute(path) ? path : undefined;
