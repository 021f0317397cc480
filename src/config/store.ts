/** Writing the profiles: the only file that knows conf. Slow to load, so it is loaded to write. */
import { chmod, readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import Conf from 'conf';
import { type Clock, systemClock } from '../clock.ts';
import { CictlError } from '../errors.ts';
import { makeFolder } from '../make-folder.ts';
import { lockStore } from './store-lock.ts';
import { profileFile, readProfileFile, toStored, type Profiles } from './profile-file.ts';
import type { Env } from '../env.ts';

/**
 * Reads, changes and writes the profiles while no other process can. The folder is 0700, the file
 * 0600 and replaced as a whole. Code 10 when it cannot be read or written; then nothing changes.
 */
export async function changeStore(
  env: Env,
  change: (before: Profiles) => Profiles,
  clock: Clock = systemClock,
): Promise<Profiles> {
  const file = profileFile(env);
  const release = await acquire(file, clock);
  try {
    const after = change(readProfileFile(env));
    write(file, after);
    return after;
  } finally {
    await release();
  }
}

async function acquire(file: string, clock: Clock): Promise<() => Promise<void>> {
  try {
    await makePrivate(dirname(file), basename(file));
    return await lockStore(file, clock);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** A folder that contained other things before is not ours to restrict. */
async function makePrivate(folder: string, file: string): Promise<void> {
  if (await makeFolder(folder, 0o700)) return;
  const names = await readdir(folder);
  if (names.every((name) => name.startsWith(file))) await chmod(folder, 0o700);
}

function write(file: string, profiles: Profiles): void {
  try {
    const conf = open(file);
    conf.store = { ...conf.store, ...toStored(profiles) };
  } catch (error) {
    throw unwritable(file, error);
  }
}

const open = (file: string): Conf =>
  new Conf({
    cwd: dirname(file),
    configName: basename(file, '.json'),
    projectName: 'cictl',
    projectSuffix: '',
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    serialize: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
  });

function unwritable(file: string, error: unknown): CictlError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ELOCKED') {
    return new CictlError('machine', `cannot change ${file}: another process holds its lock`, {
      hint: `rmdir '${file}.lock' when no other cictl is at work`,
      cause: error,
    });
  }
  return new CictlError('machine', `cannot write the profiles to ${file}: ${message}`, {
    hint: 'set CICTL_CONFIG_DIR to a folder that can be written',
    cause: error,
  });
}
