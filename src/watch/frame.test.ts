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
    '  ✗ failed (soft)  flaky  exit status 2',
    '  ■ blocked        Deploy?',
  ]);
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

test.each([10, 20, 40])('no line is wider than %i columns', (width) => {
  const jobs = [{ id: 'a', name: '長い名前の'.repeat(10), state: 'running', started_at }];
  const [head, ...rest] = frame(build(jobs), { ...options, width });
  for (const line of rest) expect(stringWidth(line)).toBeLessThanOrEqual(Math.max(width, 14));
  expect(stringWidth(head ?? '')).toBeLessThanOrEqual(Math.max(width, 23));
});

test('hostile text stays text', () => {
  const jobs = [{ id: 'a', name: 'x\x1b[2J\x1b]0;owned\x07y\nz', state: 'run\x1b[31mning' }];
  const hostile = build(jobs, { branch: '\x1b[Hmain', state: '\x1b[2Jodd' });
  expect(frame(hostile, options).join('')).not.toMatch(/[\x00-\x1f]/);
});
