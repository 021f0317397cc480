import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import type { Build } from '../api/resources/build.ts';
import { plain } from '../render/colors.ts';
import { frame, frames, type FrameOptions } from './frame.ts';

const now = Date.UTC(2026, 0, 1, 0, 1, 0);
const options: FrameOptions = { now, width: 80, height: 24, colors: plain };
const started_at = '2026-01-01T00:00:00.000Z';

const build = (jobs: NonNullable<Build['jobs']>, rest: Build = {}): Build => ({
  number: 3,
  state: 'running',
  branch: 'main',
  commit: '0123456789abcdef',
  pipeline: { slug: 'hello' },
  started_at,
  jobs,
  ...rest,
});

test('a line for the build and one a job', () => {
  const jobs = [
    { id: 'a', name: 'lint', state: 'passed', started_at, finished_at: '2026-01-01T00:00:03.000Z' },
    { id: 'b', name: 'test', state: 'running', started_at },
    { id: 'w', type: 'waiter', state: 'waiting' },
    { id: 'c', name: 'flaky', state: 'failed', soft_failed: true, exit_status: 2 },
    { id: 'd', type: 'manual', label: 'Deploy?', state: 'blocked' },
  ];
  expect(frame(build(jobs), options)).toEqual([
    'hello #3  ● running  main  0123456789  1m',
    '  ✓ passed         lint  3s',
    '  ● running        test  1m',
    '  ! failed (soft)  flaky  exit status 2',
    '  ■ blocked        Deploy?',
  ]);
});

test.each([
  ['a label', 40, '  ✗ failed  a label  exit status 2'],
  ['a label of more than half of it', 40, '  ✗ failed  a label of m…  exit status 2'],
])('a long name leaves place for how it ended: %s', (name, width, line) => {
  const jobs = [{ id: 'a', name, state: 'failed', exit_status: 2 }];
  expect(frame(build(jobs), { ...options, width })[1]).toBe(line);
});

test('several builds share the rows', () => {
  const jobs = Array.from({ length: 9 }, (_, n) => ({ id: `j${n}`, name: 'j', state: 'passed' }));
  const lines = frames([build(jobs), build(jobs, { number: 4 })], { ...options, height: 10 });
  expect(lines).toHaveLength(10);
  expect(lines[5]).toContain('hello #4');
});

test('a blocked build says so, whatever its state', () => {
  const [line] = frame(build([], { state: 'passed', blocked: true }), options);
  expect(line).toContain('■ blocked');
});

test('what does not fit is counted; what runs and what failed is kept', () => {
  const passed = Array.from({ length: 20 }, (_, n) => ({
    id: `p${n}`,
    name: `p${n}`,
    state: 'passed',
  }));
  const jobs = [
    ...passed,
    { id: 'f', name: 'f', state: 'failed' },
    { id: 'r', name: 'r', state: 'running' },
  ];
  expect(frame(build(jobs), { ...options, height: 4 })).toEqual([
    expect.stringContaining('hello #3'),
    expect.stringContaining('failed'),
    expect.stringContaining('running'),
    '  … and 20 more: 20 passed',
  ]);
});

const long = '長い名前の'.repeat(10);
const longJobs = [{ id: 'a', name: long, state: 'running', started_at }];

test.each([24, 30, 40, 80])('no line is wider than %i columns', (width) => {
  const lines = frame(build(longJobs, { branch: long }), { ...options, width });
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(stringWidth(line)).toBeLessThanOrEqual(width);
    // A wide character that does not fit leaves one column.
    expect(stringWidth(line)).toBeGreaterThanOrEqual(width - 1);
  }
});

test('what a build and a job are, and their states, are never cut', () => {
  const lines = frame(build(longJobs), { ...options, width: 10 });
  expect(lines.map((line) => line.trimEnd())).toEqual(['hello #3  ● running', '  ● running']);
});

test('hostile text stays text', () => {
  const jobs = [{ id: 'a', name: 'x\x1b[2J\x1b]0;owned\x07y\nz', state: 'run\x1b[31mning' }];
  const hostile = build(jobs, { branch: '\x1b[Hmain', state: '\x1b[2Jodd' });
  expect(frame(hostile, options).join('')).not.toMatch(/[\x00-\x1f]/);
});

const states = (...names: string[]) =>
  names.map((state, at) => ({ id: `${state}${at}`, name: `${state}${at}`, state }));

test('jobs that just fit are all there, and none is counted', () => {
  const lines = frame(build(states('passed', 'running', 'waiting')), { ...options, height: 4 });
  expect(lines.slice(1).map((line) => line.trim().split(/\s+/).at(-1))).toEqual([
    ...['passed0', 'running1', 'waiting2'],
  ]);
});

test.each([
  [1, []],
  [2, ['… and 4 more: 1 passed, 1 waiting, 1 failed, 1 running']],
  [3, ['running3', '… and 3 more: 1 passed, 1 waiting, 1 failed']],
  [4, ['failed2', 'running3', '… and 2 more: 1 passed, 1 waiting']],
  [5, ['passed0', 'waiting1', 'failed2', 'running3']],
])('of %i rows the first is the build; then comes what matters most', (height, expected) => {
  const jobs = states('passed', 'waiting', 'failed', 'running');
  const lines = frame(build(jobs), { ...options, height });
  expect(lines.slice(1)).toEqual(
    expected.map((text) => expect.stringMatching(new RegExp(`${text}$`)) as string),
  );
});

test('what waits is shown before what has passed', () => {
  const jobs = states('passed', 'waiting', 'passed', 'passed');
  expect(frame(build(jobs), { ...options, height: 3 })[1]).toContain('waiting1');
});

test('a build of which nothing is known is shown all the same', () => {
  expect(frame({ jobs: [{ id: 'j' }] }, options)).toEqual([
    expect.stringMatching(/^build #\?  \S+ unknown  $/),
    expect.stringMatching(/^  \S+ unknown  j$/),
  ]);
  const named = { pipeline: { name: 'My pipeline' }, number: 4, state: 'passed' };
  expect(frame(named, options)).toEqual([expect.stringMatching(/^My pipeline #4 /)]);
});

test('jobs without a state are counted as unknown', () => {
  const jobs = [{ id: 'a' }, { id: 'b' }, { id: 'c', state: 'waiting' }];
  expect(frame(build(jobs), { ...options, height: 2 })[1]).toBe(
    '  … and 3 more: 2 unknown, 1 waiting',
  );
});

test('what has ended took as long as it took, however late it is', () => {
  const finished_at = '2026-01-01T00:00:07.000Z';
  const job = { id: 'a', name: 'a', state: 'passed', started_at, finished_at };
  const lines = frame(build([job], { state: 'passed', finished_at }), options);
  expect(lines).toEqual([expect.stringMatching(/  7s$/), expect.stringMatching(/  a  7s$/)]);
});
