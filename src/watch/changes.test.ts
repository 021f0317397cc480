import { expect, test } from 'vitest';
import type { Build } from '../api/resources/build.ts';
import { changes, shownState } from './changes.ts';

const reported = (before: Build | undefined, now: Build): string[] =>
  changes(before, now).map((event) =>
    event.event === 'job' ? `${event.job.id ?? ''} ${event.job.state ?? ''}` : event.event,
  );

const build = (state: string, jobs: Record<string, string>, rest: Build = {}): Build => ({
  state,
  jobs: Object.entries(jobs).map(([id, state]) => ({ id, type: 'script', state })),
  ...rest,
});

test.each<[string, Build | undefined, Build, string[]]>([
  ['the first look', undefined, build('scheduled', { a: 'scheduled' }), ['build', 'a scheduled']],
  ['nothing', build('running', { a: 'running' }), build('running', { a: 'running' }), []],
  [
    'build and job start',
    build('scheduled', { a: 'scheduled', b: 'waiting' }),
    build('running', { a: 'running', b: 'waiting' }),
    ['build', 'a running'],
  ],
  [
    'the end: jobs first, then the build',
    build('running', { a: 'running', b: 'running' }),
    build('failed', { a: 'passed', b: 'failed' }),
    ['a passed', 'b failed', 'build'],
  ],
  [
    'blocked while the state stays',
    build('passed', { a: 'passed' }, { blocked: false }),
    build('passed', { a: 'passed' }, { blocked: true }),
    ['build'],
  ],
  [
    'a retry takes the place of its job',
    build('running', { a: 'failed' }),
    build('running', { b: 'scheduled' }),
    ['b scheduled'],
  ],
  [
    'unknown states',
    build('running', { a: 'running' }),
    build('pondering', { a: 'dreaming' }),
    ['build', 'a dreaming'],
  ],
  ['no list of jobs', { state: 'running' }, { state: 'passed', jobs: null }, ['build']],
])('%s', (_, before, now, events) => {
  expect(reported(before, now)).toEqual(events);
});

test('an exit status that arrives late is a change', () => {
  const now: Build = { state: 'running', jobs: [{ id: 'a', state: 'failed', exit_status: 3 }] };
  expect(reported(build('running', { a: 'failed' }), now)).toEqual(['a failed']);
});

test('reports finished jobs before the ones they unblocked', () => {
  const at = (second: number): string => new Date(second * 1000).toISOString();
  const jobs = [
    { id: 'next', state: 'running' },
    { id: 'late', state: 'passed', finished_at: at(2) },
    { id: 'early', state: 'failed', finished_at: at(1) },
  ];
  expect(reported({ state: 'running', jobs: [] }, { state: 'running', jobs })).toEqual([
    ...['early failed', 'late passed', 'next running'],
  ]);
});

test('treats missing and false soft_failed alike', () => {
  const now: Build = { state: 'running', jobs: [{ id: 'a', state: 'passed', soft_failed: false }] };
  expect(reported(build('running', { a: 'passed' }), now)).toEqual([]);
});

test('does not report waiters', () => {
  const now: Build = { state: 'running', jobs: [{ id: 'w', type: 'waiter', state: 'waiting' }] };
  expect(reported(undefined, now)).toEqual(['build']);
});

test('the shown state checks blocked first', () => {
  expect(shownState({ state: 'passed', blocked: true })).toBe('blocked');
  expect(shownState({ state: 'passed', blocked: false })).toBe('passed');
  expect(shownState({})).toBe('unknown');
});
