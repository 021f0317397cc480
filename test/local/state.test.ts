/** `service.json`, which locates the service: each service only removes its own. */
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { createService } from '../support/service.ts';

test('a stopping service keeps the file of another one', async () => {
  const first = await createService();
  onTestFinished(() => first.stop());
  const dataDir = join(first.home.root, 'service');
  // The directory was emptied while the service is running.
  await rm(dataDir, { recursive: true });
  const second = await createService({ dataDir });
  onTestFinished(() => second.stop());
  await first.close();
  const state = JSON.parse(await readFile(join(dataDir, 'service.json'), 'utf8')) as object;
  expect(state).toMatchObject({ url: second.url });
  await second.close();
  await expect(stat(join(dataDir, 'service.json'))).rejects.toThrow('ENOENT');
});

test('local down removes leftovers of a killed service, and nothing newer', async () => {
  const home = await useHome();
  const file = join(home.dataDir, 'service.json');
  await mkdir(home.dataDir, { recursive: true });
  const left = { url: 'http://127.0.0.1:1', pid: 1, adminToken: 'a', token: 't', agentToken: 'g' };
  await writeFile(file, JSON.stringify(left));
  expect((await cictl(['local', 'down'], { home })).exitCode).toBe(0);
  await expect(stat(file)).rejects.toThrow('ENOENT');
});
