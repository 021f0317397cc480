import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { removeData } from './remove-data.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'cictl-reset-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

test("deletes the service's own files and folders, and no others", async () => {
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

test('a folder that is not there is empty already', async () => {
  await expect(removeData(join(await folder(), 'none'))).resolves.toBeUndefined();
});
