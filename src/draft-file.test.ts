import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDraft, replaceFile } from './draft-file.ts';

async function place(): Promise<{ folder: string; path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'cictl-draft-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'file');
  await writeFile(path, 'before');
  return { folder, path };
}

test('replaces the file, with the mode that is asked for, and leaves nothing beside it', async () => {
  const { folder, path } = await place();
  await replaceFile(path, 'after', 0o600);
  expect(await readFile(path, 'utf8')).toBe('after');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['file']);
});

test('leaves what was there until it is committed, and where it is discarded', async () => {
  const { folder, path } = await place();
  const draft = await openDraft(path);
  await draft.file.writeFile('half');
  expect(await readFile(path, 'utf8')).toBe('before');
  await draft.discard();
  expect(await readdir(folder)).toEqual(['file']);
  expect(await readFile(path, 'utf8')).toBe('before');
});

test('leaves nothing where the file cannot be put into its place', async () => {
  const { folder } = await place();
  await rm(join(folder, 'file'));
  await expect(replaceFile(folder, 'x', 0o600)).rejects.toThrow();
  expect(await readdir(folder)).toEqual([]);
});
