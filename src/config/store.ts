/** Writes the profiles. Only this file imports the `conf` package, which is slow to load. */
import { chmod, readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import Conf from 'conf';
import lockfile from 'proper-lockfile';
import { systemClock } from '../common/clock.ts';
import { CictlError } from '../errors.ts';
import { makeFolder } from '../common/write-files.ts';
import { profileFile, readProfileFile, toStored, type Profiles } from './profile-file.ts';
import type { Env } from '../common/env.ts';

/** Changes the profiles under a lock, atomically. Exit code 10 if that fails. */
export async function changeStore(
  env: Env,
  change: (before: Profiles) => Profiles,
): Promise<Profiles> {
  const file = profileFile(env);
  const release = await acquire(file);
  try {
    const after = change(readProfileFile(env));
    write(file, after);
    return after;
  } finally {
    await release();
  }
}

async function acquire(file: string): Promise<() => Promise<void>> {
  try {
    await makePrivate(dirname(file), basename(file));
    return await lockStore(file);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** Creates a private directory. Makes an existing one private only if it has no other files. */
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
      hint: `if no other cictl is running: rmdir '${file}.lock'`,
      cause: error,
    });
  }
  return new CictlError('machine', `cannot write the profiles to ${file}: ${message}`, {
    hint: 'set CICTL_CONFIG_DIR to a writable directory',
    cause: error,
  });
}

/** Acquires the lock and returns a function that releases it. Throws `ELOCKED` after 30 seconds. */
export async function lockStore(file: string, retries = 600): Promise<() => Promise<void>> {
  for (let attempt = 0; ; attempt++) {
    try {
      const release = await lockfile.lock(file, {
        realpath: false,
        // Milliseconds after which the lock of a dead process expires.
        stale: 5000,
        // Called if the process was suspended for too long and lost the lock. Nothing can be done
        // then.
        onCompromised: () => undefined,
      });
      return () => release().catch(ignoreReleased);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ELOCKED' || attempt >= retries) throw error;
      await systemClock.sleep(20 + 60 * Math.random());
    }
  }
}

function ignoreReleased(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ERELEASED') throw error;
}
