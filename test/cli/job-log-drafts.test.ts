/**
 * If `-O FILE` is killed while writing, the next command removes the temporary file after a day.
 */
import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { leadTo } from '../support/against.ts';
import { cictl, startCictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { serve, type Exchange } from '../support/server.ts';

const id = '0190046e-e199-453b-a302-a21a4d649d31';
const build = '/v2/organizations/acme/pipelines/web/builds/7';
const job = ['job', 'log', `web/7#${id}`, '--no-cache'];
const log: Exchange = { path: `${build}/jobs/${id}/log.txt`, answer: { body: 'a\n' } };
const stalls: Exchange = { ...log, answer: { body: 'x'.repeat(100), fault: 'stall' } };

/** A directory with the temporary file of a process that was killed while downloading a log. */
async function afterKill() {
  const cwd = await mkdtemp(join(tmpdir(), 'cictl-drafts-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const { url } = await serve([stalls]);
  const child = startCictl([...job, '-O', 'out.log'], await useHome(), { cwd, env: leadTo(url) });
  await expect.poll(() => readdir(cwd)).toHaveLength(1);
  child.kill('SIGKILL');
  await child;
  const [draft = ''] = await readdir(cwd);
  return { cwd, draft };
}

async function again(cwd: string, ...args: string[]): Promise<string[]> {
  const jobs = [{ id, type: 'script', name: 'test', state: 'failed' }];
  const looks = args.includes('--failed') ? [{ path: build, answer: { json: { jobs } } }] : [];
  const { url } = await serve([...looks, log]);
  const { exitCode, stderr } = await cictl(['job', 'log', '--no-cache', ...args], {
    cwd,
    env: leadTo(url),
  });
  expect([exitCode, stderr]).toEqual([0, '']);
  return readdir(cwd);
}

test('removes a temporary file from yesterday, but not a current one', async () => {
  const { cwd, draft } = await afterKill();
  expect(draft).toMatch(/^\.cictl-.*\.part$/);
  expect(await again(cwd, `web/7#${id}`, '-O', 'out.log')).toEqual([draft, 'out.log']);
  const yesterday = Date.now() / 1000 - 25 * 60 * 60;
  await utimes(join(cwd, draft), yesterday, yesterday);
  expect(await again(cwd, `web/7#${id}`, '-O', 'out.log')).toEqual(['out.log']);
  expect(await readFile(join(cwd, 'out.log'), 'utf8')).toBe('a\n');
});

test('does the same in the directory of --failed', async () => {
  const { cwd, draft } = await afterKill();
  await utimes(join(cwd, draft), 0, 0);
  expect(await again(cwd, '--failed', '--build', 'web/7', '-O', '.')).toEqual([`test-${id}.log`]);
});
