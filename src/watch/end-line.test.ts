import { expect, test } from 'vitest';
import type { Build } from '../api/resources/build.ts';
import { endLine, goesOn } from './end-line.ts';

const ref = { org: 'acme', pipeline: 'web', number: 7 };
const scope = { org: 'acme', profile: undefined };
const started_at = '2026-01-01T00:00:00Z';
const times = { started_at, finished_at: '2026-01-01T00:00:29Z' };
const jobs = [
  { id: 'a', type: 'script', state: 'blocked' },
  { id: 'b', type: 'manual', state: 'unblocked', step_key: 'twice' },
  { id: 'c', type: 'manual', label: 'Release?', state: 'blocked', step_key: 'twice' },
];
const gate = { id: 'd', type: 'manual', label: 'Deploy?', state: 'blocked', step_key: 'gate' };
const unit = { id: 'u', name: 'unit', state: 'failed', exit_status: 1 };

test.each<[string, Build, number, string]>([
  ['passed', { state: 'passed', ...times }, 0, '✓ web #7 passed in 0:29'],
  ['was canceled', { state: 'canceled', ...times }, 3, '⊘ web #7 canceled after 0:29'],
  ['did not run', { state: 'not_run' }, 5, '– web #7 not run'],
  [
    'failed',
    {
      state: 'failed',
      ...times,
      jobs: [unit, { id: 's', name: 'soft', soft_failed: true, state: 'failed' }],
    },
    1,
    '✗ web #7 failed in 0:29: unit (exit 1) → cictl builds failures web/7',
  ],
  [
    'failed with a retry, a signal, a time-out and an expired job',
    {
      state: 'failed',
      jobs: [
        { ...unit, retried: true },
        { id: '1', name: 'killed', state: 'failed', exit_status: -1, signal: 'SIGKILL' },
        { id: '2', name: 'slow', state: 'timed_out' },
        { id: '3', name: 'late', state: 'expired' },
      ],
    },
    1,
    '✗ web #7 failed: killed (signal SIGKILL), slow (timed out), late (expired) → cictl builds failures web/7',
  ],
  [
    'failed in many jobs',
    { state: 'failed', jobs: [1, 2, 3, 4, 5].map((id) => ({ ...unit, id: `${id}` })) },
    1,
    '✗ web #7 failed: unit (exit 1), unit (2) (exit 1) and 3 more → cictl builds failures web/7',
  ],
  [
    'failed in one of parallel jobs',
    {
      state: 'failed',
      jobs: [0, 1].map((index) => ({
        ...{ ...unit, id: `${index}`, state: index === 0 ? 'passed' : 'failed' },
        ...{ parallel_group_index: index, parallel_group_total: 2 },
      })),
    },
    1,
    '✗ web #7 failed: unit 2/2 (exit 1) → cictl builds failures web/7',
  ],
  [
    'is failing',
    { state: 'failing', started_at, jobs: [unit] },
    1,
    '✗ web #7 is going to fail: unit (exit 1); it runs on → cictl builds failures web/7',
  ],
  [
    'is blocked',
    { state: 'passed', blocked: true, jobs: [...jobs, gate] },
    4,
    '■ web #7 waits at "Release?", "Deploy?" → cictl job unblock web/7#c',
  ],
  [
    'is blocked by a step with a key',
    { state: 'passed', blocked: true, jobs: [gate, unit] },
    4,
    '■ web #7 waits at "Deploy?" → cictl job unblock web/7#gate',
  ],
  [
    'is blocked by nothing known',
    { blocked: true, jobs: jobs.slice(0, 2) },
    4,
    '■ web #7 waits at a step for a person',
  ],
  ['has no jobs', { blocked: true }, 4, '■ web #7 waits at a step for a person'],
  [
    'is hostile',
    { state: 'failed', jobs: [{ ...unit, name: 'a\x1b[2Jb' }] },
    1,
    '✗ web #7 failed: ab (exit 1) → cictl builds failures web/7',
  ],
])('after a build that %s', (_, build, exitCode, expected) => {
  expect(endLine({ ref, build, exitCode }, 0, scope)).toBe(expected);
});

test('the next command names what is not known without it', () => {
  const result = { ref, build: { state: 'failed' }, exitCode: 1 };
  expect(endLine(result, 0, { org: undefined, profile: 'my own' })).toBe(
    "✗ web #7 failed → cictl builds failures acme/web/7 --profile 'my own'",
  );
});

test.each([
  [[ref], 'the build goes on; again: cictl builds watch web/7'],
  [
    [ref, { ...ref, number: 8 }],
    'the builds go on; again: cictl builds watch web/7; cictl builds watch web/8',
  ],
])('who stops watching %j can come back', (refs, line) => {
  expect(goesOn(refs, scope)).toBe(line);
});
