import { mkdir, mkdtemp, readdir, readFile, rm, writeFile, link } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { useTmpfs } from '../../../test/support/tmpfs.ts';
import { moveData, removeData, dataSize } from './data.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'cictl-reset-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

test("deletes only the service's own files and directories", async () => {
  const data = await folder();
  for (const name of ['service.db', 'service.db-wal', 'service.json', 'notes.txt']) {
    await writeFile(join(data, name), '');
  }
  for (const name of ['logs', 'log-pieces', 'artifacts', 'snapshots', 'agents', 'workspaces']) {
    await mkdir(join(data, name));
    await writeFile(join(data, name, 'one'), '');
  }
  await removeData(data);
  expect(await readdir(data)).toEqual(['notes.txt']);
});

test('treats a missing directory as empty', async () => {
  await expect(removeData(join(await folder(), 'none'))).resolves.toBeUndefined();
});

const noon = Date.UTC(2026, 10, 20, 12);

test('moves the directory aside', async () => {
  const data = join(await folder(), 'data');
  await mkdir(data);
  await writeFile(join(data, 'service.db'), 'builds');
  expect(await moveData(data, noon)).toBe(`${data}-20261120T120000Z`);
  expect(await readFile(`${data}-20261120T120000Z/service.db`, 'utf8')).toBe('builds');
  await expect(readdir(data)).rejects.toThrow('ENOENT');
});

test('moves the files into a subdirectory of a mount point', async (context) => {
  const data = await folder();
  useTmpfs(data, '1m', context);
  await writeFile(join(data, 'service.db'), 'builds');
  const aside = await moveData(data, noon);
  expect(aside).toBe(join(data, 'reset-20261120T120000Z'));
  expect(await readdir(data)).toEqual(['reset-20261120T120000Z']);
  expect(await readdir(aside)).toEqual(['service.db']);
});

test('counts what builds have stored, and shared files once', async () => {
  const data = await mkdtemp(join(tmpdir(), 'cictl-size-'));
  onTestFinished(() => rm(data, { recursive: true }));
  const files = ['service.db', 'logs/a', 'log-pieces/a', 'artifacts/b/c', 'snapshots/b1/pack'];
  for (const name of [...files, 'plugins/a', 'other']) {
    await mkdir(dirname(join(data, name)), { recursive: true });
    await writeFile(join(data, name), 'x'.repeat(100));
  }
  await mkdir(join(data, 'snapshots/b2'));
  await link(join(data, 'snapshots/b1/pack'), join(data, 'snapshots/b2/pack'));
  expect(await dataSize(data)).toBe(500);
  expect(await dataSize(join(data, 'nowhere'))).toBe(0);
});
