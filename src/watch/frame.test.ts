import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import type { Build } from '../api/resources/build.ts';
import { plain } from '../render/colors.ts';
import { frame, frames, type FrameOptions, keepEnd, clockTime } from './frame.ts';
import { createJobNames } from './job-names.ts';

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

test('shows a line for the build and one per job', () => {
  const jobs = [
    { id: 'a', name: 'lint', state: 'passed', started_at, finished_at: '2026-01-01T00:00:03.000Z' },
    { id: 'b', name: 'test', state: 'running', started_at },
    { id: 'w', type: 'waiter', state: 'waiting' },
    { id: 'c', name: 'flaky', state: 'failed', soft_failed: true, exit_status: 2 },
    { id: 'd', type: 'manual', label: 'Deploy?', state: 'blocked' },
  ];
  expect(frame(build(jobs), options)).toEqual([
    '● hello #3 running 1:00   2/4 done · 1 running · 1 soft · 1 blocked     01234567',
    '✓ passed         lint                                                         3s',
    '● running        test                                                         1m',
    expect.stringMatching(/^. failed \(soft\)  flaky {44}exit 2$/),
    '■ blocked        Deploy?',
  ]);
});

test('a running job has the spinner, except in the last frame', () => {
  const jobs = [
    { id: 'a', name: 'a', state: 'running' },
    { id: 'b', name: 'b', state: 'scheduled' },
  ];
  const [head, first, second] = frame(build(jobs), { ...options, spinner: '⠼' });
  expect(head).toMatch(/^●/);
  expect(first).toBe('⠼ running    a');
  expect(second).toMatch(/^○ scheduled  b$/);
});

const finished_at = '2026-01-01T00:00:41.000Z';
const row = { id: 'a', name: 'unit', state: 'failed', exit_status: 1, started_at, finished_at };

test.each([
  [80, '✗ failed  unit                                                    exit 1     41s'],
  [40, '✗ failed  unit            exit 1     41s'],
  [30, '✗ failed  unit             41s'],
  [24, '✗ failed  unit'],
])('at %i columns, the time is right-aligned while the name fits', (width, line) => {
  expect(frame(build([row]), { ...options, width })[1]).toBe(line);
});

test.each([
  [90, 'release/2026.11', '1/1 done · 1 failed          release/2026.11  01234567'],
  [65, 'release/2026.11', '1/1 done · 1 failed  …2026.11  01234567'],
  [59, 'release/2026.11', '1/1 done · 1 failed      01234567'],
  [50, 'release/2026.11', '1/1 done · 1 failed'],
  [40, 'release/2026.11', '1/1 done'],
  [24, 'release/2026.11', ''],
])('at %i columns, the branch keeps its end and is dropped first', (width, branch, rest) => {
  const [line] = frame(build([row], { branch }), { ...options, width });
  expect(line).toBe(`● hello #3 running 1:00${rest && '   '}${rest}`);
});

test('a terminal of 300 columns keeps the time next to its job', () => {
  const lines = frame(build([row]), { ...options, width: 300 });
  expect(lines.map((line) => stringWidth(line))).toEqual([80, 80]);
  const long = { ...row, name: 'x'.repeat(100) };
  expect(frame(build([long]), { ...options, width: 300 })[1]).toContain(long.name);
});

test('omits retried jobs', () => {
  const jobs = [
    { ...row, retried: true },
    { ...row, id: 'b', state: 'passed', exit_status: 0 },
  ];
  expect(frame(build(jobs), options)[0]).toContain('   1/1 done  ');
});

test.each([
  ['a label', 40, '✗ failed  a label         exit 2'],
  ['a label of more than half of it', 40, '✗ failed  a label of mo…  exit 2'],
])('a long name leaves room for the outcome: %s', (name, width, line) => {
  const jobs = [{ id: 'a', name, state: 'failed', exit_status: 2 }];
  expect(frame(build(jobs), { ...options, width })[1]).toBe(line);
});

test.each([
  [80, 'Train', 'no agent has os=linux, queue=gpu-large'],
  [60, 'Train', 'no agent has os=linux,.*…'],
  [100, 'Train the model of the day on everything', 'no agent has os=linux, queue=gpu-large'],
  [80, 'Train the model of the day on everything', 'no agent has os=linux,.*…'],
  [120, 'Train the model of the day on everything', 'no agent has os=linux, queue=gpu-large'],
])('at %i columns, a note is complete if %j leaves room', (width, name, note) => {
  const waiting_for_agents = ['os=linux', 'queue=gpu-large'];
  const jobs = [{ id: 'a', name, state: 'scheduled', waiting_for_agents }];
  expect(frame(build(jobs), { ...options, width })[1]).toMatch(new RegExp(`  ${note}$`));
});

test('several builds share the rows', () => {
  const jobs = Array.from({ length: 9 }, (_, n) => ({ id: `j${n}`, name: 'j', state: 'passed' }));
  const lines = frames([build(jobs), build(jobs, { number: 4 })], { ...options, height: 10 });
  expect(lines).toHaveLength(10);
  expect(lines[5]).toContain('hello #4');
});

test('shows a blocked build as blocked, whatever its state', () => {
  const [line] = frame(build([], { state: 'passed', blocked: true }), options);
  expect(line).toMatch(/^■ hello #3 blocked 1:00/);
});

test('counts what does not fit, and keeps running and failed jobs', () => {
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
    '… and 20 more: 20 passed',
  ]);
});

const long = '長い名前の'.repeat(10);
const longJobs = [{ id: 'a', name: long, state: 'running', started_at }];

test.each([24, 30, 40, 80])('no line is wider than %i columns', (width) => {
  const lines = frame(build(longJobs, { branch: long }), { ...options, width });
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(stringWidth(line)).toBeLessThanOrEqual(width);
  }
});

test('never truncates the states of builds and jobs', () => {
  const lines = frame(build(longJobs), { ...options, width: 10 });
  expect(lines.map((line) => line.trimEnd())).toEqual(['● hello #3 running 1:00', '● running']);
});

test('shows hostile text as plain text', () => {
  const jobs = [{ id: 'a', name: 'x\x1b[2J\x1b]0;owned\x07y\nz', state: 'run\x1b[31mning' }];
  const hostile = build(jobs, { branch: '\x1b[Hmain', state: '\x1b[2Jodd' });
  expect(frame(hostile, options).join('')).not.toMatch(/[\x00-\x1f]/);
});

const states = (...names: string[]) =>
  names.map((state, at) => ({ id: `${state}${at}`, name: `${state}${at}`, state }));

test('shows all jobs if they just fit, without a count', () => {
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
])('of %i rows, the first is the build, then the most important jobs', (height, expected) => {
  const jobs = states('passed', 'waiting', 'failed', 'running');
  const lines = frame(build(jobs), { ...options, height });
  expect(lines.slice(1)).toEqual(
    expected.map((text) => expect.stringMatching(new RegExp(`${text}$`)) as string),
  );
});

test('shows waiting jobs before passed ones', () => {
  const jobs = states('passed', 'waiting', 'passed', 'passed');
  expect(frame(build(jobs), { ...options, height: 3 })[1]).toContain('waiting1');
});

test('shows a build without any attributes', () => {
  expect(frame({ jobs: [{ id: 'j' }] }, options)).toEqual([
    expect.stringMatching(/^\S build #\? unknown   0\/1 done$/),
    expect.stringMatching(/^\S unknown  j$/),
  ]);
  const named = { pipeline: { name: 'My pipeline' }, number: 4, state: 'passed' };
  expect(frame(named, options)).toEqual([expect.stringMatching(/^✓ My pipeline #4 passed$/)]);
});

test('counts jobs without a state as unknown', () => {
  const jobs = [{ id: 'a' }, { id: 'b' }, { id: 'c', state: 'waiting' }];
  expect(frame(build(jobs), { ...options, height: 2 })[1]).toBe(
    '… and 3 more: 2 unknown, 1 waiting',
  );
});

test('the duration of a finished job does not grow', () => {
  const finished_at = '2026-01-01T00:00:07.000Z';
  const job = { id: 'a', name: 'a', state: 'passed', started_at, finished_at };
  const lines = frame(build([job], { state: 'passed', finished_at }), options);
  expect(lines).toEqual([
    expect.stringMatching(/ passed in 0:07 /),
    expect.stringMatching(/  a {2,}7s$/),
  ]);
});

test.each([
  [60, '○ scheduled  Tests of the whole 日本語 reposi… 12/40'],
  [40, '○ scheduled  Tests of the… 12/40'],
  [22, '○ scheduled  Tests of…'],
])('at %i columns, a title is shortened before the part that identifies the job', (width, line) => {
  const jobs = [11, 12].map((index) => ({
    ...{ id: String(index), name: 'Tests of the whole 日本語 repository in every browser' },
    ...{ state: 'scheduled', parallel_group_index: index - 1, parallel_group_total: 40 },
  }));
  const nameOf = createJobNames();
  expect(frame(build(jobs), { ...options, width, nameOf })[2]).toBe(line);
});

test.each([
  ['Tests of a matrix with a long name linux 24', 'Tests of… linux 24'],
  ['Tests of a matrix with a long name linux 24 (2)', 'Tests… linux 24 (2)'],
  ['Tests of a matrix with a long name 7', 'Tests of a matri… 7'],
])('%s', (name, line) => {
  const jobs = [{ id: 'a', name, state: 'running', matrix: { os: 'linux', node: '24' } }];
  expect(frame(build(jobs), { ...options, width: 38 })[1]).toMatch(line);
});

test.each([
  ['main', 4, 'main'],
  ['feature/long', 6, '…/long'],
  ['feature/long', 1, ''],
  ['feature/long', 0, ''],
  ['feature/long', -3, ''],
  ['長い名前', 8, '長い名前'],
  ['長い名前', 7, '…い名前'],
  ['長い名前', 6, '…名前'],
  ['長い名前', 2, '…'],
  ['👩‍💻👩‍💻👩‍💻', 5, '…👩‍💻👩‍💻'],
])('shows the end of %s in %i columns', (text, width, end) => {
  expect(keepEnd(text, width)).toBe(end);
  expect(stringWidth(end)).toBeLessThanOrEqual(Math.max(0, width));
});

test.each([
  [-1, '0:00'],
  [999, '0:00'],
  [17_000, '0:17'],
  [725_000, '12:05'],
  [3_599_999, '59:59'],
  [3_723_000, '1:02:03'],
  [360_000_000, '100:00:00'],
])('shows %i ms as a stopwatch: %s', (ms, text) => {
  expect(clockTime(ms)).toBe(text);
});
