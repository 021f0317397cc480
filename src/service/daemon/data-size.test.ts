import { link, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dataSize } from './data-size.ts';

test('counts what builds have left, and what several of them share once', async () => {
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
