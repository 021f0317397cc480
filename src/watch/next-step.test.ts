import { expect, test } from 'vitest';
import type { Build } from '../api/resources/build.ts';
import { nextStep } from './next-step.ts';

const ref = { org: 'acme', pipeline: 'web', number: 7 };
const jobs = [
  { id: 'a', type: 'script', state: 'blocked' },
  { id: 'b', type: 'manual', state: 'unblocked' },
  { id: 'c', type: 'manual', state: 'blocked' },
];

test.each<[string, Build, number, string | undefined]>([
  ['passed', { state: 'passed' }, 0, undefined],
  ['was canceled', { state: 'canceled' }, 3, undefined],
  ['is failing', { state: 'failing' }, 1, 'build acme/web/7 is going to fail; it runs on'],
  ['failed', { state: 'failed' }, 1, 'build acme/web/7 failed: cictl builds failures acme/web/7'],
  [
    'is blocked',
    { state: 'passed', blocked: true, jobs },
    4,
    'build acme/web/7 waits for a person: cictl job unblock acme/web/7#c',
  ],
  [
    'is blocked by nothing known',
    { blocked: true, jobs: jobs.slice(0, 2) },
    4,
    'build acme/web/7 waits for a person',
  ],
  [
    'is blocked by a job without an id',
    { jobs: [{ ...jobs[2], id: '' }] },
    4,
    'build acme/web/7 waits for a person',
  ],
  ['has no jobs', { blocked: true }, 4, 'build acme/web/7 waits for a person'],
])('after a build that %s', (_, build, exitCode, expected) => {
  expect(nextStep({ ref, build, exitCode })).toBe(expected);
});
