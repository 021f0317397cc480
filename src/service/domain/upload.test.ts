import { expect, test } from 'vitest';
import type { Plan } from '../pipeline/plan.ts';
import { cancelBuild } from './build-lifecycle.ts';
import type { Tree } from './records.ts';
import { retryJob } from './retry.ts';
import {
  build,
  countingIds,
  end,
  expectRefusal,
  expectStates,
  jobOf,
  plan,
  start,
} from '../../../test/support/units/scenario.ts';
import { maxJobs, uploadSteps } from './upload.ts';

const newIds = () => countingIds('new');

function upload(
  tree: Tree,
  words: string,
  given: { replace?: boolean; env?: Plan['env'] } = {},
): Tree {
  const { replace = false, env = {} } = given;
  return uploadSteps(tree, 'job-1', { plan: { ...plan(words), env }, replace }, 5000, newIds());
}

/** `a wait b`: the steps of a build, each command by its text. */
const stepsText = ({ plan: { steps } }: Tree): string =>
  steps.map((step) => (step.type === 'command' ? step.command : step.type)).join(' ');

test('adds steps directly after the step of the uploading job', () => {
  const tree = upload(start(build('a wait b'), 1), 'x y');
  expect(stepsText(tree)).toBe('a x y wait b');
  expectStates(tree, 'running: running scheduled scheduled waiting waiting');
  expect(tree.jobs.map(({ step }) => step)).toEqual([0, 1, 2, 3, 4]);
  expect(tree.jobs[1]).toMatchObject({ createdAt: 5000, scheduledAt: 1000, runnableAt: 5000 });
  const both = end(end(end(tree, 1), 3), 2);
  expectStates(both, 'running: passed scheduled scheduled waiting waiting');
});

test('later gates wait for uploaded steps', () => {
  const tree = end(upload(start(build('a wait b'), 1), 'x wait y'), 1);
  expectStates(tree, 'running: passed scheduled waiting waiting waiting waiting');
  expect(tree.jobs.map(({ id }) => id).join(' ')).toMatch(
    /^job-1 new-1 new-\d new-\d job-2 job-3$/,
  );
});

test('a second upload comes before the steps of the first', () => {
  const once = upload(start(build('a b'), 1), 'x');
  const twice = uploadSteps(
    once,
    'job-1',
    { plan: plan('y'), replace: false },
    6000,
    countingIds('more'),
  );
  expect(stepsText(twice)).toBe('a y x b');
  expect(new Set(twice.plan.steps.map(({ definition }) => definition)).size).toBe(4);
  expect(new Set(twice.jobs.map(({ stepId }) => stepId)).size).toBe(4);
});

test('uploaded steps come after all jobs of the step, so a gate among them does not block these', () => {
  const { steps, ...rest } = build('a a b').plan;
  const shared = steps.map((step, index) => (index === 1 ? { ...step, definition: 0 } : step));
  const tree = start({ ...build('a a b'), plan: { ...rest, steps: shared } }, 1);
  expectStates(upload(tree, 'wait x'), 'running: running scheduled waiting waiting scheduled');
  expect(stepsText(upload(tree, 'wait x'))).toBe('a a wait x b');
});

test('a retried job keeps its attempts, and later jobs their steps', () => {
  const failed = end(build('a b c'), 2, 1);
  const retried = retryJob(failed, 'job-2', 4000, () => 'job-9');
  const tree = upload(start(retried, 1), 'x');
  expectStates(tree, 'running: running scheduled failed scheduled scheduled');
  expect(tree.jobs.map(({ step }) => step)).toEqual([0, 1, 2, 2, 3]);
  expectStates(end(tree, 9), 'running: running scheduled failed passed scheduled');
});

test('uploaded steps can depend on existing steps, and the reverse, in file order', () => {
  const tree = upload(start(build('a b:B wait c'), 1), 'x<B y:Y');
  expectStates(tree, 'running: running waiting scheduled scheduled waiting waiting');
  expectStates(end(tree, 2), 'running: running scheduled scheduled passed waiting waiting');
});

test("an uploaded file's env applies to its own commands", () => {
  const tree = upload(start(build('a'), 1), 'x', { env: { A: '1' } });
  expect(tree.plan.steps[1]).toMatchObject({ env: { A: '1' } });
  expect(tree.plan.steps[0]).toMatchObject({ env: {} });
});

test('an uploaded group with an existing key continues that group', () => {
  const tree = upload(start(build('a/G b'), 1), 'x/G y/H z<G');
  const groups = tree.plan.steps.map(({ group }) => group?.definition);
  expect(groups[1]).toBe(groups[0]);
  expect(groups[2]).not.toBe(groups[0]);
  expectStates(end(tree, 1), 'running: passed scheduled scheduled waiting scheduled');
});

test.each([
  ['a b wait c', '', 'a x'],
  ['a b wait c', '2', 'a x b'],
  ['z a b block c', '', 'z a x'],
  ['z~ a b~ c', '', 'z a x'],
])('--replace of unstarted steps in %s with %s running: %s', (words, running, expected) => {
  const caller = `job-${words.split(' ').findIndex((word) => word === 'a') + 1}`;
  const begun = [
    caller,
    ...(running === '' ? [] : [`job-${running}`]),
    ...(words.startsWith('z ') ? ['job-1'] : []),
  ];
  const tree = begun.reduce((before, id) => start(before, id.slice(4)), build(words));
  const after = uploadSteps(tree, caller, { plan: plan('x'), replace: true }, 5000, newIds());
  expect(stepsText(after)).toBe(expected);
  expect(after.jobs.map(({ step }) => step)).toEqual(after.jobs.map((_, index) => index));
  expect(after.build.state).toBe('running');
});

test('replacing steps may reuse the keys of the steps they replace', () => {
  const tree = upload(start(build('a b:B c<B'), 1), 'x:B y<B', { replace: true });
  expect(stepsText(tree)).toBe('a x y');
  expectStates(tree, 'running: running scheduled waiting');
});

test.each([
  ['a b:B', 'x:B', 'The key "B" already exists in this build'],
  ['a b/B', 'x:B', 'The key "B" already exists in this build'],
  ['a', 'x<Q', '"x" depends on "Q", which is not a key in this build'],
  ['a', 'x/G<Q', '"x" depends on "Q", which is not a key in this build'],
  ['a', 'x:X<Y y:Y<X', 'Steps depend on one another: "X" -> "Y" -> "X"'],
  ['a wait b:B', 'x<B', 'Steps depend on one another: "x" -> "B" -> a wait step -> "x"'],
])('in %s, rejects the steps %s, and the build continues unchanged', (words, added, text) => {
  const tree = start(build(words), 1);
  const states = tree.jobs.map(({ state }) => state);
  expectRefusal(() => upload(tree, added), 'invalid', text);
  expect(tree.jobs.map(({ state }) => state)).toEqual(states);
  expect(end(tree, 1).jobs[0]?.state).toBe('passed');
});

test('limits the number of jobs in a build', () => {
  const tree = start(build('a'), 1);
  const many = (count: number) => Array.from({ length: count }, () => 'x').join(' ');
  expect(upload(tree, many(maxJobs - 1)).jobs).toHaveLength(maxJobs);
  const text = 'A build can have at most 10000 jobs; with these steps, it would have 10001';
  expectRefusal(() => upload(tree, many(maxJobs)), 'invalid', text);
});

test.each([
  ['has not started', build('a b')],
  ['has ended', end(build('a b'), 1)],
  ['is being canceled', cancelBuild(start(build('a b'), 1), null, 4000)],
])('a job that %s cannot upload steps', (_, tree) => {
  expectRefusal(() => upload(tree, 'x'), 'invalid', 'Only a running job can upload steps');
});

test('two jobs can upload at the same time', () => {
  const tree = start(start(build('a b wait c'), 1), 2);
  const one = upload(tree, 'x');
  const both = uploadSteps(
    one,
    'job-2',
    { plan: plan('y'), replace: false },
    5000,
    countingIds('more'),
  );
  expect(stepsText(both)).toBe('a x b y wait c');
  expectStates(both, 'running: running scheduled running scheduled waiting waiting');
  expect(jobOf(both, 'job-2')?.step).toBe(2);
});
