import { expect, test } from 'vitest';
import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { createJobNames, shortName, prefixLines } from './job-names.ts';

const same = (id: string, rest: Job = {}): Job => ({ id, command: 'make test', ...rest });

/** The names after each of these states of a build, in one view. */
function namesIn(...builds: readonly (readonly Job[])[]): string[][] {
  const names = createJobNames();
  return builds.map((jobs) => {
    const build: Build = { jobs: [...jobs] };
    return jobs.map((job) => names(build, job));
  });
}

test('a unique title stays unchanged', () => {
  expect(namesIn([{ id: 'a', name: 'lint' }, same('b')])).toEqual([['lint', 'make test']]);
});

test('jobs with the same title get numbers, and keep them', () => {
  expect(namesIn([same('a'), same('b')], [same('a'), same('c'), same('b')])).toEqual([
    ['make test', 'make test (2)'],
    ['make test', 'make test (3)', 'make test (2)'],
  ]);
});

test('names parallel and matrix jobs after what distinguishes them', () => {
  const parallel = (index: number): Job =>
    same(`p${index}`, { parallel_group_index: index, parallel_group_total: 2 });
  const matrix = (os: string): Job => ({ id: os, name: 'Test', matrix: { os } });
  expect(namesIn([parallel(0), parallel(1), matrix('linux'), matrix('mac')])).toEqual([
    ['make test 1/2', 'make test 2/2', 'Test linux', 'Test mac'],
  ]);
});

test.each([
  ['beside it', [same('a', { retried: true }), same('c'), same('b')]],
  ['in its place', [same('c'), same('b')]],
])('a retry %s has the name of its job', (_, after) => {
  const [, names] = namesIn([same('a'), same('b')], after);
  expect(names?.slice(-2)).toEqual(['make test', 'make test (2)']);
});

test('prefixes log lines with the same names', () => {
  const names = createJobNames(shortName);
  const jobs = [same('a'), same('b')];
  expect(jobs.map((job) => names({ jobs }, job))).toEqual(['make test', 'make test (2)']);
});

test('names ten thousand jobs with one title quickly', () => {
  const jobs = Array.from({ length: 10_000 }, (_, at) => same(String(at)));
  expect(namesIn(jobs)[0]?.at(-1)).toBe('make test (10000)');
});

test.each([
  [{ name: ':rocket: Deploy', step_key: 'd', command: 'x' }, 'Deploy'],
  [{ name: ':rocket:', step_key: 'deploy', command: 'x' }, 'deploy'],
  [{ name: 'at 10:30:15', command: 'x' }, 'at 10:30:15'],
  [{ name: 'make all', step_key: 'build', command: 'make all' }, 'build'],
  [
    { name: 'make -j4 all tests and more', command: 'make -j4 all tests and more' },
    'make -j4 all tests…',
  ],
  [{ name: 'set -e\nmake', command: 'set -e\nmake' }, 'set -e'],
  [{ name: 'a label that is longer than twenty columns' }, 'a label that is lon…'],
  [{ name: '日本語日本語日本語日本語日本語' }, '日本語日本語日本語…'],
  [{ name: null, command: '\n', id: '0193d7c2' }, '0193d7c2'],
  [{ name: 'a\x1b[31mb\nc' }, 'ab c'],
  [{}, 'job'],
])('%j', (job, name) => {
  expect(shortName(job)).toBe(name);
});

test.each([
  [{ name: 'test', parallel_group_index: 1, parallel_group_total: 3 }, 'test 2/3'],
  [{ name: 'test 2/3', parallel_group_index: 1, parallel_group_total: 3 }, 'test 2/3'],
  [{ name: 'test', matrix: { '': 'linux' } }, 'test linux'],
  [{ name: 'test', matrix: { os: 'linux', node: '22' } }, 'test linux 22'],
  [{ name: 'test linux', matrix: { os: 'linux', node: '22' } }, 'test linux 22'],
  [{ name: 'linux/amd64', matrix: { os: 'linux', arch: 'amd64' } }, 'linux/amd64'],
  [{ name: 'py 3.10 (3)', matrix: { py: '3.1' } }, 'py 3.10 (3) 3.1'],
  [{ name: 'test', matrix: { os: 'x'.repeat(60) } }, `test ${'x'.repeat(19)}…`],
  [{ name: 'test', matrix: ['odd'] }, 'test odd'],
  [{ name: 'test', matrix: 'odd' }, 'test'],
])('distinguishes jobs of one step: %j', (job, name) => {
  expect(shortName(job)).toBe(name);
});

test.each([
  ['one\n', 'lint | one\n'],
  ['one\ntwo\n', 'lint | one\nlint | two\n'],
  ['one\n\ntwo\n', 'lint | one\nlint | \nlint | two\n'],
  ['no newline at the end', 'lint | no newline at the end\n'],
])('%j', (text, lines) => {
  expect(prefixLines(text, 'lint')).toBe(lines);
});

test.each([
  ['make\nmake test', 'make | ok\n'],
  ["echo $$ $& $' $1", "echo $$ $& $' $1 | ok\n"],
])('after the name %j', (name, lines) => {
  expect(prefixLines('ok\n', name)).toBe(lines);
});
