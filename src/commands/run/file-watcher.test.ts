import { watch } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock, type Clock } from '../../common/clock.ts';
import { watchFiles, watchFolders } from './file-watcher.ts';

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cictl-watched-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Fails instead of waiting forever. */
const impatient = (sleeps: number): Clock => ({
  now: () => 0,
  sleep: () => (sleeps-- > 0 ? Promise.resolve() : Promise.reject(new Error('nothing changed'))),
});

test('a change during a scan counts for the next one', async () => {
  const folder = await makeFolder();
  const folders = watchFolders(folder);
  onTestFinished(() => folders.close());
  await folders.update(new Map());
  folders.beginLook();
  const beside = watch(folder);
  const reported = once(beside, 'change');
  await writeFile(join(folder, 'late'), '');
  await reported;
  beside.close();
  await folders.update(new Map());
  await folders.change(new AbortController().signal, impatient(5));
});

test('a file removed and restored during a run still belongs to the user', async () => {
  const folder = await makeFolder();
  const file = join(folder, 'input');
  await writeFile(file, 'one');
  const watcher = await watchFiles(folder, systemClock);
  onTestFinished(() => watcher.close());
  await rm(file);
  expect(await watcher.look({ isRunning: false })).toEqual(['input']);
  await writeFile(file, 'two');
  await writeFile(join(folder, 'made'), '');
  expect(await watcher.look({ isRunning: true })).toEqual(['input']);
  await writeFile(join(folder, 'made'), 'again');
  expect(await watcher.look({ isRunning: false })).toEqual([]);
});
