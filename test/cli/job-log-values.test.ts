/** `job log --jq`: the output of the program goes where the log would go. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { against } from '../support/against.ts';
import type { Exchange } from '../support/server.ts';

const build = '/v2/organizations/acme/pipelines/web/builds/7';
const object = (id: string): Exchange => ({
  path: `${build}/jobs/${id}/log`,
  answer: { body: `{"content":"${id}\\u001b[1m\\n","size":9007199254740993}` },
});
const failed: Exchange = {
  path: build,
  answer: { json: { jobs: ['a', 'b'].map((id) => ({ id, name: 'test', state: 'failed' })) } },
};
const one: Exchange = {
  path: build,
  answer: { json: { jobs: [{ id: 'a', name: 'test', state: 'failed' }] } },
};

async function folder(): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'cictl-log-values-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  return cwd;
}

const run = (cwd: string, exchanges: readonly Exchange[], ...args: string[]) =>
  against(exchanges, ['job', 'log', '--no-cache', ...args], { cwd });

test('-O writes the output of --jq to the file unchanged', async () => {
  const cwd = await folder();
  const args = ['a', '--build', 'web/7', '--jq', '.content, .size, [.size]', '-O', 'log.txt'];
  const { exitCode, stdout, stderr } = await run(cwd, [one, object('a')], ...args);
  expect([exitCode, stdout, stderr]).toEqual([0, '', '']);
  const printed = 'a\u001b[1m\n\n9007199254740993\n[9007199254740993]\n';
  expect(await readFile(join(cwd, 'log.txt'), 'utf8')).toBe(printed);
});

test('-O with --failed writes the output of --jq for each log to its file', async () => {
  const cwd = await folder();
  const args = ['--failed', '--build', 'web/7', '--jq', '.size', '-O', 'logs'];
  const { exitCode, stdout } = await run(cwd, [failed, object('a'), object('b')], ...args);
  expect([exitCode, stdout]).toEqual([0, '']);
  const names = (await readdir(join(cwd, 'logs'))).sort();
  expect(names).toEqual(['test-a.json', 'test-b.json']);
  for (const name of names)
    expect(await readFile(join(cwd, 'logs', name), 'utf8')).toBe('9007199254740993\n');
});

test('a failing --jq leaves the file unchanged', async () => {
  const cwd = await folder();
  await writeFile(join(cwd, 'log.txt'), 'before\n');
  const args = ['a', '--build', 'web/7', '--jq', '.size, error("no")', '-O', 'log.txt'];
  const { exitCode, stdout, stderr } = await run(cwd, [one, object('a')], ...args);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain('no');
  expect(await readdir(cwd)).toEqual(['log.txt']);
  expect(await readFile(join(cwd, 'log.txt'), 'utf8')).toBe('before\n');
});
