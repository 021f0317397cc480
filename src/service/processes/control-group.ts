/**
 * A control group (cgroup v2) that a service and its descendants cannot leave. Most containers and
 * SSH sessions do not allow one; root, systemd services and desktop sessions can create one.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, write, writeFileSync } from 'node:fs';
import { existsSync, readdirSync, readFileSync, rmdirSync, statSync } from 'node:fs';
import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pid } from 'node:process';
import { promisify } from 'node:util';
import { attempt } from '../../common/attempt.ts';
import { systemClock } from '../../common/clock.ts';
import { sendSignal } from '../runner/processes.ts';
import { makeFilePrivate } from '../store/files.ts';

/**
 * Kills the group of a killed service and joins a new one. Undefined if that is not allowed. The
 * kernel takes up to 20 ms to move a process, during which this process can do other work.
 */
export async function enterControlGroup(dataDir: string) {
  const record = recordOf(dataDir);
  if (existsSync(record)) await endControlGroup(dataDir);
  const parent = attempt(ownFolder);
  if (parent === undefined) return undefined;
  removeAbandoned(parent);
  const folder = join(parent, prefix + randomUUID());
  try {
    mkdirSync(folder);
    makeFilePrivate(record);
    writeFileSync(record, folder);
    await move(folder);
  } catch {
    await remove(folder);
    return undefined;
  }
  return {
    /** Moves this process back to its old group, then kills everything in the new one. */
    async leave(): Promise<void> {
      await move(parent).catch(() => undefined);
      await end(folder, record);
    },
  };
}

/** Kills processes in a killed service's group. No service may be using the data directory. */
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

/** Removes empty groups of killed services whose data directories no longer exist. */
function removeAbandoned(parent: string): void {
  for (const name of attempt(() => readdirSync(parent)) ?? []) {
    if (!name.startsWith(prefix)) continue;
    const group = join(parent, name);
    // A new group is empty until its service joins it.
    const { mtimeMs = Infinity } = statSync(group, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < Date.now() - longestEntry) attempt(() => rmdirSync(group));
  }
}

/** Maximum time in milliseconds between creating a group and joining it. */
const longestEntry = 60_000;

const prefix = 'cictl-';

const recordOf = (dataDir: string): string => join(dataDir, 'service.cgroup');

async function move(folder: string): Promise<void> {
  const file = openSync(join(folder, 'cgroup.procs'), 'w');
  try {
    await promisify(write)(file, `${pid}`);
  } finally {
    closeSync(file);
  }
}

/** Returns the directory of this process's group. Throws or returns undefined if there is none. */
function ownFolder(): string | undefined {
  const path = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  const fields = mounts.find((line) => line.includes(' - cgroup2 '))?.split(' ');
  const [root = '', mountPoint = ''] = fields?.slice(3, 5) ?? [];
  if (path?.startsWith(root) !== true || mountPoint === '') return undefined;
  return join(mountPoint, path.slice(root.length));
}

/** Kills the processes one by one, because this process may be one of them and must survive. */
async function killAll(folder: string): Promise<void> {
  for (let round = 0; round < 50; round++) {
    // Processes in other namespaces have the ID 0, which would signal our own process group.
    const others = (await membersOf(folder)).filter((id) => id > 0 && id !== pid);
    if (others.length === 0) return;
    for (const id of others) sendSignal(id, 'SIGKILL');
    await systemClock.sleep(10);
  }
}

/** Includes nested groups, because a job may have started another service. */
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

/** The group stays if one of its processes cannot be killed. */
async function remove(folder: string): Promise<void> {
  for (const below of await foldersIn(folder)) await remove(below);
  await rmdir(folder).catch(() => undefined);
}
