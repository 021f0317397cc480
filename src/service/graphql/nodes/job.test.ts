import { expect, test } from 'vitest';
import { jobSchema } from '../schema/jobs.ts';
import { jobStateOf, jobStatesOf } from './job.ts';
import type { JobState } from '../../domain/records.ts';

const states: readonly JobState[] = [
  'waiting',
  'waiting_failed',
  'blocked',
  'blocked_failed',
  'unblocked',
  'limited',
  'scheduled',
  'running',
  'passed',
  'failed',
  'timed_out',
  'canceling',
  'canceled',
  'skipped',
  'broken',
];

test.each(states)('%s has a type in the schema and can be found by it', (state) => {
  expect(jobSchema).toMatch(new RegExp(`enum JobStates [^}]*\\b${jobStateOf(state)}\\b`));
  expect(jobStatesOf(jobStateOf(state))).toContain(state);
});

test('a job that ran to its end is FINISHED', () => {
  expect(['passed', 'failed', 'timed_out'].map((state) => jobStateOf(state as JobState))).toEqual([
    'FINISHED',
    'FINISHED',
    'TIMED_OUT',
  ]);
  expect(jobStatesOf('FINISHED')).toEqual(['passed', 'failed']);
});
