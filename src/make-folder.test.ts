import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

async function temporary(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'cictl-make-folder-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

test('makes a folder with those above it, and says whether it was there', async () => {
  const root = await temporary();
  const path = join(root, 'a', 'b', 'c');
  expect(await makeFolder(path, 0o700)).toBe(true);
  expect(await makeFolder(path, 0o700)).toBe(false);
  for (const each of [path, join(root, 'a')]) expect((await stat(each)).mode & 0o777).toBe(0o700);
});

test('two at once make the same folder', async () => {
  const path = join(await temporary(), 'a', 'b');
  const made = await Promise.all([makeFolder(path), makeFolder(path)]);
  expect(made.filter(Boolean)).toHaveLength(1);
});

test('a file in the way is refused', async () => {
  const file = join(await temporary(), 'file');
  await writeFile(file, '');
  await expect(makeFolder(file)).rejects.toThrow('EEXIST');
  await expect(makeFolder(join(file, 'below'))).rejects.toThrow('ENOTDIR');
});

test.runIf(existsSync('/proc/self'))('ends where no folder can be made', async () => {
  await expect(makeFolder('/proc/cictl')).rejects.toThrow('ENOENT');
  await expect(makeFolder('/proc/cictl/below')).rejects.toThrow('ENOENT');
});
