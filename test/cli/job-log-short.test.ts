/** Logs of a few bytes, in buffers shorter than a machine word. */
import { expect, test } from 'vitest';
import { leadTo } from '../support/against.ts';
import { cictl } from '../support/cli.ts';
import { serve, type Exchange } from '../support/server.ts';

const id = '0190046e-e199-453b-a302-a21a4d649d31';
const build = '/v2/organizations/acme/pipelines/web/builds/7';
const job = `web/7#${id}`;

const look = (state: string): Exchange => {
  const jobs = [{ id, type: 'script', name: 'test', state, started_at: '2026-01-01T00:00:00Z' }];
  return { path: new RegExp(`^${build}(\\?|$)`), answer: { json: { jobs } } };
};

/**
 * Headers of varying length place the body at each offset within a word; one is so long that the
 * body ends exactly at the end of its buffer.
 */
const log = (body: string, run: number): Exchange => ({
  path: `${build}/jobs/${id}/log.txt`,
  answer: { headers: { 'x-head': 'x'.repeat(5000 + run) }, body },
});

const runs = 20;

async function run(args: readonly string[], exchanges: readonly Exchange[]): Promise<unknown> {
  const { url } = await serve(exchanges);
  const { exitCode, stdout, stderr } = await cictl(['job', 'log', job, ...args], {
    env: leadTo(url),
  });
  return { exitCode, stdout, stderr };
}

/** As many at a time as there are processors. */
async function eachRun(one: (run: number) => Promise<unknown>): Promise<unknown[]> {
  const results: unknown[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < runs) results.push(await one(next++));
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  return results;
}

const well = (stdout: string): unknown[] =>
  Array.from({ length: runs }, () => ({ exitCode: 0, stdout, stderr: '' }));

test.each(['\n', 'a\n'])('a log of %j is printed in every run', async (text) => {
  const formats = ['text', 'ansi', 'raw'];
  const results = await eachRun((n) =>
    run(['--no-cache', '--format', formats[n % formats.length] ?? ''], [log(text, n)]),
  );
  expect(results).toEqual(well(text));
});

test('follows a log that grows by single bytes to its end in every run', async () => {
  const growing = ['\n', '\na', '\na\n', '\na\nbc\n'];
  const looks = (n: number): Exchange[] =>
    growing.flatMap((text, at) => [
      look(at < growing.length - 1 ? 'running' : 'passed'),
      log(text, n),
    ]);
  expect(await eachRun((n) => run(['--follow'], looks(n)))).toEqual(well('\na\nbc\n'));
});
