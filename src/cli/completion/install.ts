import { readFile, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Context } from '../../context.ts';
import { replaceFile, makeFolder } from '../../common/write-files.ts';
import { CictlError } from '../../errors.ts';
import { installPlace, type InstallPlace } from './install-place.ts';
import { scripts } from './scripts.ts';
import type { Shell } from './shells.ts';

/**
 * Writes the script of a shell to its place, prints that, and says what is left to do. Code 10 where
 * it cannot be written.
 */
export async function installCompletion(
  shell: Shell,
  { env, out, messages }: Pick<Context, 'env' | 'out' | 'messages'>,
): Promise<void> {
  const place = installPlace(shell, env);
  const isNew = (await readFile(place.path, 'utf8').catch(() => '')) !== scripts[shell];
  if (isNew) await write(place.path, scripts[shell]);
  await out.write(`${place.path}\n`);
  const done = isNew
    ? `wrote the completion of ${shell}`
    : `the completion of ${shell} was there already`;
  messages.note(`${done}; ${nextStep(place)}`);
}

async function write(path: string, text: string): Promise<void> {
  try {
    await makeFolder(dirname(path));
    // A link leads to where its user keeps such files.
    await replaceFile(await realpath(path).catch(() => path), text, 0o644);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CictlError('machine', `cannot write ${path}: ${reason}`, { cause });
  }
}

const nextStep = ({ path, load }: InstallPlace): string =>
  load === undefined
    ? 'shells that start from now on load it'
    : `${load.when}, add this line to ${load.profile}: ${load.command} ${quoted(path)}`;

const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`;
