import { expect, test } from 'vitest';
import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import type { CommandScope } from '../watch/command-scope.ts';
import { nextCommands, nextOfBuild } from './next-commands.ts';
import { failed, sampleReport } from '../../test/support/units/failures.ts';

const next = (jobs: readonly Job[], build: Build = {}, scope: Partial<CommandScope> = {}) =>
  nextCommands(sampleReport({ build, jobs }), { org: 'acme', profile: undefined, jobs, ...scope });

const log = 'cictl job log web/42#test';
const retry = 'cictl job retry --failed --build web/42';

test.each<[string, string[], string[]]>([
  ['a failure', next([failed('test')]), [log, retry]],
  [
    'another organization',
    next([failed('test')], {}, { org: 'other' }),
    ['cictl job log acme/web/42#test', 'cictl job retry --failed --build acme/web/42'],
  ],
  [
    'a profile by flag',
    next([failed('test')], {}, { profile: 'my work' }),
    [`${log} --profile 'my work'`, `${retry} --profile 'my work'`],
  ],
  [
    'a key of several jobs',
    next([failed('test'), { ...failed('test'), state: 'passed' }]),
    ['cictl job log web/42#id-of-test', retry],
  ],
  [
    'a key that no shell should see',
    next([failed('$(reboot)', { id: 'x' })]),
    ['cictl job log web/42#x', retry],
  ],
  ['an id that no shell should see', next([failed(';reboot', { id: '`x`' })]), [retry]],
  [
    'a soft failure',
    next([failed('test', { soft_failed: true })]),
    [log, 'cictl builds view web/42'],
  ],
  [
    'a build that was canceled',
    next([failed('test')], { state: 'canceled' }),
    [log, 'cictl builds rebuild web/42'],
  ],
  [
    'a job that was canceled alone',
    next([failed('test', { state: 'canceled' })]),
    [log, 'cictl builds rebuild web/42'],
  ],
  [
    'a job that no agent took: it has no log, and the service would not do it again',
    next([failed('test', { state: 'expired' })]),
    ['cictl builds rebuild web/42'],
  ],
  [
    'a job that no agent took beside one that failed',
    next([failed('none', { state: 'expired' }), failed('test')]),
    [log, retry],
  ],
  ['a trigger', next([failed('test', { type: 'trigger' })]), [retry]],
  ['nothing failed', next([]), ['cictl builds view web/42']],
])('%s', (_, commands, expected) => {
  expect(commands).toEqual(expected);
});

const asked = (key: string, state: string): Job => ({
  id: key,
  type: 'manual',
  step_key: key,
  state,
});

test.each<[string, Job[], string | undefined]>([
  ['running', [], 'cictl builds watch web/42'],
  ['failed', [failed('test')], 'cictl builds failures web/42'],
  ['canceled', [], 'cictl builds rebuild web/42'],
  ['passed', [], undefined],
  ['blocked', [asked('one', 'unblocked'), asked('two', 'blocked')], 'cictl job unblock web/42#two'],
])('suggests the next command for a %s build', (state, jobs, command) => {
  const ref = { org: 'acme', pipeline: 'web', number: 42 };
  const build = { state, blocked: state === 'blocked', jobs };
  expect(nextOfBuild(ref, build, { org: 'acme', profile: undefined })).toBe(command);
});
