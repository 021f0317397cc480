/** Pruning removes old builds with their logs and artifacts, but nothing that is still needed. */
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/service/store/database.ts';
import { useCounterpart, type Counterpart, type Wire } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';

const day = 86_400_000;

async function scene(file = "[{ command: 'true' }]") {
  const time = { now: Date.UTC(2026, 0, 1) };
  const dataDir = await mkdtemp(join(tmpdir(), 'cictl-prune-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const clock = { now: () => time.now };
  const runner = scriptedRunner({ auto: true });
  const service = await useCounterpart({ dataDir, clock, runner });
  const path = await service.pipeline('p', file);
  const build = (): Promise<Wire> => settledBuild(service, path, dataDir);
  return { service, path, build, dataDir, time, clock };
}

/** A settled build with a job's log and artifact. */
async function settledBuild(service: Counterpart, path: string, dataDir: string): Promise<Wire> {
  const { json } = await service.post(`${path}/builds`, { commit: 'HEAD', branch: 'main' });
  const made = await service.settled(`${path}/builds/${json.number}`);
  for (const { id } of made.jobs) await writeFile(join(dataDir, 'logs', `${id}.log`), 'a log\n');
  await mkdir(join(dataDir, 'artifacts', made.id));
  await writeFile(join(dataDir, 'artifacts', made.id, randomUUID()), 'a file');
  return made;
}

const numbers = async (service: Counterpart, path: string): Promise<number[]> =>
  (await service.get(`${path}/builds`)).list.map(({ number }) => number);

async function filesOf(dataDir: string): Promise<string[]> {
  const [logs, artifacts] = await Promise.all(
    ['logs', 'artifacts'].map((name) => readdir(join(dataDir, name))),
  );
  return [...(logs ?? []), ...(artifacts ?? []).filter((name) => name !== 'drafts')].sort();
}

const filesFor = (...builds: Wire[]): string[] =>
  builds.flatMap(({ id, jobs }) => [id, ...jobs.map((job) => `${job.id}.log`)]).sort();

test('keeps the newest builds of each pipeline, with their files', async () => {
  const { service, path, build, dataDir } = await scene();
  const [, , third, fourth] = [await build(), await build(), await build(), await build()];
  const other = await service.pipeline('q', "[{ command: 'true' }]");
  const alone = await settledBuild(service, other, dataDir);
  expect(await service.admin('POST', '/prune', { keep: '2' })).toEqual({ removed: 2, more: false });
  expect([await numbers(service, path), await numbers(service, other)]).toEqual([[4, 3], [1]]);
  expect(await filesOf(dataDir)).toEqual(filesFor(third, fourth, alone));
  expect((await service.get(`${path}/builds/1`)).status).toBe(404);
  // Numbers are never reused.
  expect((await build()).number).toBe(5);
});

test('by age: removes builds that finished earlier', async () => {
  const { service, path, build, time } = await scene();
  await build();
  time.now += 10 * day;
  await build();
  time.now += 5 * day;
  expect((await service.admin('POST', '/prune', { keep: '15d' }))['removed']).toBe(0);
  time.now += 1;
  expect((await service.admin('POST', '/prune', { keep: '15d' }))['removed']).toBe(1);
  expect(await numbers(service, path)).toEqual([2]);
});

test('keeps a blocked build and its origin', async () => {
  const { service, path, build } = await scene("[{ command: 'true' }, { block: 'Go?' }]");
  await build();
  await service.put(`${path}/builds/1/cancel`);
  await service.settled(`${path}/builds/1`);
  await service.put(`${path}/builds/1/rebuild`);
  await service.settled(`${path}/builds/2`);
  await build();
  await service.put(`${path}/builds/3/cancel`);
  await build();
  expect((await service.admin('POST', '/prune', { keep: '1' }))['removed']).toBe(1);
  expect(await numbers(service, path)).toEqual([4, 2, 1]);
});

test('keeps a build that a blocked build has triggered', async () => {
  const { service, path, dataDir } = await scene("[{ trigger: q }, { block: 'Go?' }]");
  const other = await service.pipeline('q', "[{ command: 'true' }]");
  await service.post(`${path}/builds`, { commit: 'HEAD', branch: 'main' });
  await service.settled(`${path}/builds/1`);
  await settledBuild(service, other, dataDir);
  await settledBuild(service, other, dataDir);
  expect((await service.admin('POST', '/prune', { keep: '1' }))['removed']).toBe(1);
  expect(await numbers(service, other)).toEqual([3, 1]);
});

test('removes leftover files of a killed service at the next start', async () => {
  const { service, path, build, dataDir, clock } = await scene();
  const [first, second] = [await build(), await build()];
  await service.close();
  // The state after the row was deleted, but before the files were.
  const database = openDatabase(join(dataDir, 'service.db'));
  const jobs = JSON.stringify(first.jobs.map(({ id }) => id));
  database.run('insert into removed_builds (build_id, job_ids) values (?, ?)', first.id, jobs);
  database.run('delete from builds where id = ?', first.id);
  database.close();
  const again = await useCounterpart({ dataDir, clock, runner: scriptedRunner({ auto: true }) });
  await expect.poll(() => filesOf(dataDir)).toEqual(filesFor(second));
  expect(await numbers(again, path)).toEqual([2]);
});

test('settings apply while the service runs, and to the next one', async () => {
  const { service, path, build, dataDir, time, clock } = await scene();
  await build();
  await build();
  await service.admin('PATCH', '/settings', { keep: '1' });
  await expect.poll(() => numbers(service, path)).toEqual([2]);
  await service.admin('PATCH', '/settings', { keep: '3d' });
  await service.close();
  time.now += 4 * day;
  const again = await useCounterpart({ dataDir, clock, runner: scriptedRunner({ auto: true }) });
  expect(await again.admin('GET', '/status')).toMatchObject({ keep: '3d' });
  await expect.poll(() => numbers(again, path)).toEqual([]);
});

test.each([[{ keep: '2y' }], [{ keep: '0' }], [{}]])('rejects %j', async (body) => {
  const { service } = await scene();
  await expect(service.admin('POST', '/prune', body)).rejects.toThrow(
    /must be an age|keep is required/,
  );
});

test('removing a pipeline removes its builds and files in batches', async () => {
  const { service, path, build, dataDir } = await scene();
  for (let n = 0; n < 21; n++) await build();
  const other = await service.pipeline('q', "[{ command: 'true' }]");
  const alone = await settledBuild(service, other, dataDir);
  await service.admin('DELETE', '/organizations/local/pipelines/p');
  expect((await service.get(path)).status).toBe(404);
  expect(await filesOf(dataDir)).toEqual(filesFor(alone));
  expect(await numbers(service, other)).toEqual([1]);
});
