import { expect, test } from 'vitest';
import { graphOf } from './schedule.ts';
import type { Tree } from './records.ts';
import {
  build,
  buildOf,
  end,
  expectRefusal,
  expectStates,
  jobOf,
  plan,
  start,
} from '../../../test/support/units/scenario.ts';
import { cancelStep, setJobPriority, updateStep } from './step-changes.ts';

const update = (tree: Tree, name: string, attribute: string, value: string, append = false): Tree =>
  updateStep(tree, name, { attribute, value, append }, 4000);

test('the label of a step can be replaced or appended to, by key or id', () => {
  const tree = build('a:A wait b');
  const id = jobOf(tree, 'job-1')?.stepId ?? '';
  expect(update(tree, 'A', 'label', 'x').plan.steps[0]?.label).toBe('x');
  expect(update(tree, id, 'label', 'x', true).plan.steps[0]?.label).toBe('ax');
  const after = update(tree, 'A', 'label', 'x');
  expect(graphOf(after.plan)).toBe(graphOf(tree.plan));
  expect(tree.plan.steps[0]?.label).toBe('a');
  expectStates(end(after, 1), 'running: passed passed scheduled');
});

test('a priority applies to the unfinished jobs of the step', () => {
  const tree = update(end(build('a:A a:A b'), 1), 'A', 'priority', '-5');
  expect(tree.jobs.map(({ priority }) => priority)).toEqual([0, -5, 0]);
  expect(tree.plan.steps[1]).toMatchObject({ priority: -5 });
});

test('notifications can be changed but are not sent', () => {
  const tree = build('a:A');
  expect(update(tree, 'A', 'notify', 'slack').plan.steps).toEqual(tree.plan.steps);
});

test.each([
  [
    'A',
    'command',
    'x',
    'The step attribute "command" cannot be changed; only label, priority and notify can',
  ],
  ['A', 'priority', '1.5', 'priority must be an integer, not "1.5"'],
  ['B', 'label', 'x', 'There is no step "B" in this build'],
])('rejects, for step %s, a new %s of %s', (name, attribute, value, text) => {
  expectRefusal(() => update(build('a:A'), name, attribute, value), 'wrong', text);
});

test('canceling a step cancels all its jobs, and dependent jobs do not run', () => {
  const tree = start(start(build('a:A a:A b<A c'), 1), 2);
  expectStates(cancelStep(end(tree, 1), 'A', 4000), 'running: passed canceling waiting scheduled');
  const canceled = end(cancelStep(end(tree, 1), 'A', 4000), 2, 1);
  expectStates(canceled, 'failing: passed canceled waiting_failed scheduled');
  expect(cancelStep(canceled, 'A', 5000).jobs).toEqual(canceled.jobs);
});

test('the priority of a job can change until it has finished', () => {
  const tree = build('a b');
  expect(jobOf(setJobPriority(tree, 'job-2', '7', 4000), 'job-2')?.priority).toBe(7);
  expectRefusal(
    () => setJobPriority(tree, 'job-2', 'high', 4000),
    'wrong',
    'priority must be an integer, not "high"',
  );
  expectRefusal(
    () => setJobPriority(end(tree, 1), 'job-1', '7', 4000),
    'invalid',
    'The priority of a finished job cannot be changed',
  );
  expectRefusal(
    () => setJobPriority(tree, 'job-7', '7', 4000),
    'wrong',
    'There is no such job in this build',
  );
});

/** A build in which commands with this name are canceled when it fails. */
function canceling(words: string, command: string): Tree {
  const { steps, ...rest } = plan(words);
  const changed = steps.map((step) =>
    step.type === 'command' && step.command === command
      ? { ...step, cancelOnBuildFailing: true }
      : step,
  );
  return buildOf({ ...rest, steps: changed });
}

test('a failing build cancels jobs with cancel_on_build_failing', () => {
  const tree = start(canceling('a x x c wait! x', 'x'), 2);
  const failed = end(tree, 1, 1);
  expectStates(failed, 'failing: failed canceling canceled scheduled waiting canceled');
  expectStates(end(end(failed, 2), 4), 'failed: failed canceled canceled passed passed canceled');
});

test('soft failures and canceled jobs cancel nothing', () => {
  expectStates(end(canceling('a? x', 'x'), 1, 1), 'running: failed scheduled');
  expectStates(cancelStep(canceling('a:A x', 'x'), 'A', 4000), 'failing: canceled scheduled');
});
