/** Writing the profiles: the only file that knows conf. Slow to load, so it is loaded to write. */
import { chmod, readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { statSync } from 'node:fs';
import Conf from 'conf';
import lockfile from 'proper-lockfile';
import { type Clock, systemClock } from '../common/clock.ts';
import { CictlError } from '../errors.ts';
import { makeFolder } from '../common/write-files.ts';
import { profileFile, readProfileFile, toStored, type Profiles } from './profile-file.ts';
import type { Env } from '../common/env.ts';

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

// A lock of the profiles file against other processes.

/** Milliseconds in which nothing may happen to the file before a process that waits gives up. */
const longestStandstill = 30_000;

/** Milliseconds; the lock of a process that died ends after them. */
const stale = 5000;

/**
 * Waits for the lock of a file, and resolves to its release. All who wait ask equally often, at
 * random times: however many they are, each comes to its turn as long as the others get on. Throws
 * `ELOCKED` when the file has not changed for half a minute, and what the file system says.
 */
export async function lockStore(
  file: string,
  clock: Clock,
  random: () => number = Math.random,
): Promise<() => Promise<void>> {
  let seen = versionOf(file);
  let end = clock.now() + longestStandstill;
  for (;;) {
    const release = await tryLock(file);
    if (!(release instanceof Error)) return release;
    const version = versionOf(file);
    if (version !== seen) end = clock.now() + longestStandstill;
    if (clock.now() >= end) throw release;
    seen = version;
    await clock.sleep(20 + 80 * random());
  }
}

/** The release, or the error where another process has the lock. */
async function tryLock(file: string): Promise<(() => Promise<void>) | Error> {
  try {
    // A process stopped for so long that another took the lock can do nothing about it.
    const onCompromised = (): void => undefined;
    const release = await lockfile.lock(file, { realpath: false, stale, onCompromised });
    return () => release().catch(ignoreReleased);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ELOCKED') return error;
    throw error;
  }
}

function ignoreReleased(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ERELEASED') throw error;
}

/** Each writer puts another file in its place. */
function versionOf(file: string): string {
  const { ino, mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return `${ino} ${mtimeMs}`;
}
