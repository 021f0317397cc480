/**
 * A control group (cgroup v2) for a service and all that descends from it: nobody leaves it without
 * being moved, whatever they close and clear. Systems give one to few: to services and desktop
 * sessions of systemd, and to root; containers and logins by ssh mostly have none.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { kill, pid } from 'node:process';
import { systemClock } from '../../common/clock.ts';
import { makeFilePrivate } from '../store/files.ts';

export interface ControlGroup {
  /** Kills all that is left in it but this process, which goes back to where it was. */
  leave(): Promise<void>;
}

/**
 * Moves this process into a group of its own, and ends the one that a killed service has left for
 * the folder. Undefined where the system does not allow it.
 */
export async function enterControlGroup(dataDir: string): Promise<ControlGroup | undefined> {
  const record = recordOf(dataDir);
  await endControlGroup(dataDir);
  const parent = await ownFolder().catch(() => undefined);
  if (parent === undefined) return undefined;
  await removeAbandoned(parent);
  const folder = join(parent, prefix + randomUUID());
  try {
    await mkdir(folder);
    makeFilePrivate(record);
    await writeFile(record, folder);
    await move(folder);
  } catch {
    await remove(folder);
    return undefined;
  }
  return {
    async leave() {
      await move(parent).catch(() => undefined);
      await end(folder, record);
    },
  };
}

/** Kills what is in the group of a service that was itself killed; its folder must not be in use. */
export async function endControlGroup(dataDir: string): Promise<void> {
  const record = recordOf(dataDir);
  const folder = await readFile(record, 'utf8').catch(() => '');
  if (!basename(folder).startsWith(prefix)) return;
  await end(folder, record);
}

async function end(folder: string, record: string): Promise<void> {
  await killAll(folder);
  await remove(folder);
  await rm(record, { force: true });
}

/** Of services that were killed, and whose data folder is gone as well: nothing is in them any more. */
async function removeAbandoned(parent: string): Promise<void> {
  const groups = (await foldersIn(parent)).filter((folder) => basename(folder).startsWith(prefix));
  for (const group of groups) {
    // A new one is about to be entered.
    const { mtimeMs = Infinity } = (await stat(group).catch(() => undefined)) ?? {};
    if (mtimeMs < Date.now() - longestEntry) await rmdir(group).catch(() => undefined);
  }
}

/** Milliseconds. */
const longestEntry = 60_000;

const prefix = 'cictl-';

const recordOf = (dataDir: string): string => join(dataDir, 'service.cgroup');

const move = (folder: string): Promise<void> => writeFile(join(folder, 'cgroup.procs'), `${pid}`);

/** The folder of the group that this process is in. Throws where there is none. */
async function ownFolder(): Promise<string | undefined> {
  const path = /^0::(.*)$/m.exec(await readFile('/proc/self/cgroup', 'utf8'))?.[1];
  const mounts = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n');
  const fields = mounts.find((line) => line.includes(' - cgroup2 '))?.split(' ');
  const [root = '', mountPoint = ''] = fields?.slice(3, 5) ?? [];
  if (path?.startsWith(root) !== true || mountPoint === '') return undefined;
  return join(mountPoint, path.slice(root.length));
}

/** One at a time, and again while there are any: this process may be one of them. */
async function killAll(folder: string): Promise<void> {
  for (let looks = 0; looks < 50; looks++) {
    // What this process cannot see, being in another namespace, has the id 0: to kill means us all.
    const others = (await membersOf(folder)).filter((id) => id > 0 && id !== pid);
    if (others.length === 0) return;
    for (const id of others) send(id);
    await systemClock.sleep(10);
  }
}

/** Those of the groups below it too: a job may have started a service of its own. */
async function membersOf(folder: string): Promise<number[]> {
  const text = await readFile(join(folder, 'cgroup.procs'), 'utf8').catch(() => '');
  const below = await Promise.all((await foldersIn(folder)).map(membersOf));
  return [...text.split('\n').filter(Boolean).map(Number), ...below.flat()];
}

const foldersIn = (folder: string): Promise<string[]> =>
  readdir(folder, { withFileTypes: true }).then(
    (found) => found.filter((one) => one.isDirectory()).map(({ name }) => join(folder, name)),
    () => [],
  );

function send(id: number): void {
  try {
    kill(id, 'SIGKILL');
  } catch {
    // Gone meanwhile, or another user's.
  }
}

/** It stays where something in it cannot be ended. */
async function remove(folder: string): Promise<void> {
  for (const below of await foldersIn(folder)) await remove(below);
  await rmdir(folder).catch(() => undefined);
}
