import { basename } from 'node:path';
import type { Handler } from '../../command/command.ts';
import { usageError } from '../../errors.ts';
import type { Env } from '../../common/env.ts';
import type { completion } from './completion.ts';
import { scripts } from './scripts.ts';
import { shells, type Shell } from './shells.ts';

/** `cictl completion SHELL`. */
export const printCompletion: Handler<typeof completion> = async ({ shell, install }, context) => {
  if (!install) return context.out.write(scripts[known(shell, 'completion needs SHELL')]);
  const { installCompletion } = await import('./install.ts');
  const own = shell ?? shellOf(context.env);
  return installCompletion(
    known(own, 'SHELL of the environment names no shell that is known'),
    context,
  );
};

/** The one that the user logs in with: `/usr/bin/zsh`. */
const shellOf = ({ SHELL: path = '' }: Env): string =>
  basename(path).replace(/^pwsh$/, 'powershell');

function known(name: string | undefined, otherwise: string): Shell {
  const shell = shells.find((each) => each === name);
  if (shell !== undefined) return shell;
  throw usageError(`${otherwise}: name one of ${shells.join(', ')}`, 'cictl help completion');
}
