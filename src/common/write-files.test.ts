import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openDraft, replaceFile, makeFolder } from './write-files.ts';

async function place(): Promise<{ folder: string; path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'cictl-draft-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'file');
  await writeFile(path, 'before');
  return { folder, path };
}

test('replaces the file with the given mode, and leaves nothing else', async () => {
  const { folder, path } = await place();
  await replaceFile(path, 'after', 0o600);
  expect(await readFile(path, 'utf8')).toBe('after');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['file']);
});

test('keeps the old file until commit, and on discard', async () => {
  const { folder, path } = await place();
  const draft = await openDraft(path);
  await draft.file.writeFile('half');
  expect(await readFile(path, 'utf8')).toBe('before');
  await draft.discard();
  expect(await readdir(folder)).toEqual(['file']);
  expect(await readFile(path, 'utf8')).toBe('before');
});

test('leaves nothing if the file cannot be put in place', async () => {
  const { folder } = await place();
  await rm(join(folder, 'file'));
  await expect(replaceFile(folder, 'x', 0o600)).rejects.toThrow();
  expect(await readdir(folder)).toEqual([]);
});

async function temporary(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'cictl-make-folder-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

test('creates a directory with its parents, and reports whether it existed', async () => {
  const root = await temporary();
  const path = join(root, 'a', 'b', 'c');
  expect(await makeFolder(path, 0o700)).toBe(true);
  expect(await makeFolder(path, 0o700)).toBe(false);
  for (const each of [path, join(root, 'a')]) expect((await stat(each)).mode & 0o777).toBe(0o700);
});

test('two processes create the same directory', async () => {
  const path = join(await temporary(), 'a', 'b');
  const made = await Promise.all([makeFolder(path), makeFolder(path)]);
  expect(made.filter(Boolean)).toHaveLength(1);
});

test('rejects a file in the way', async () => {
  const file = join(await temporary(), 'file');
  await writeFile(file, '');
  await expect(makeFolder(file)).rejects.toThrow('EEXIST');
  await expect(makeFolder(join(file, 'below'))).rejects.toThrow('ENOTDIR');
});

test.runIf(existsSync('/proc/self'))('fails if no directory can be created', async () => {
  await expect(makeFolder('/proc/cictl')).rejects.toThrow('ENOENT');
  await expect(makeFolder('/proc/cictl/below')).rejects.toThrow('ENOENT');
});
