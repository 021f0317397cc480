/** Writes the profiles. The only file that imports conf, which is slow to load. */
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
 * Changes the profiles under a lock. The directory has mode 0700; the file has mode 0600 and is
 * replaced atomically. If it cannot be read or written, nothing changes (exit code 10).
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

/** Does not restrict an existing directory that contains other files. */
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

/** Milliseconds without any change to the file before a waiting process gives up. */
const longestStandstill = 30_000;

/** Milliseconds after which the lock of a dead process expires. */
const stale = 5000;

/**
 * Waits for the lock of a file and returns a function that releases it. All waiting processes retry
 * at random intervals, so each gets its turn as long as the others make progress. Throws `ELOCKED`
 * if the file has not changed for half a minute, or a file system error.
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

async function tryLock(file: string): Promise<(() => Promise<void>) | Error> {
  try {
    // A process that was suspended so long that it lost the lock cannot do anything about it.
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

/** Each writer replaces the file. */
function versionOf(file: string): string {
  const { ino, mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return `${ino} ${mtimeMs}`;
}
