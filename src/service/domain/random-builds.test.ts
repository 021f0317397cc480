import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Plan } from '../pipeline/plan.ts';
import { cancelBuild } from './build-lifecycle.ts';
import { admitJob, finishJob, startJob, finishTrigger, startTrigger } from './job-lifecycle.ts';
import { cycleIn } from './upload.ts';
import { findJob } from './find-job.ts';
import { isCurrent } from './job-states.ts';
import { randomPlan } from '../../../test/support/units/random-plan.ts';
import { reference, type Reference } from '../../../test/support/units/reference-scheduler.ts';
import type { Job, Tree } from './records.ts';
import { retryJob } from './retry.ts';
import { agent, buildOf, countingIds, outcome } from '../../../test/support/units/scenario.ts';
import { settle } from './settle.ts';
import { cancelStep } from './step-changes.ts';
import { unblockJob } from './unblock.ts';
import { some } from '../../../test/support/full.ts';

/** An event that is applied to the real build and to the reference. */
interface Event {
  readonly name: string;
  readonly real: (tree: Tree) => Tree;
  readonly expected: () => void;
}

const statesOf = ({ jobs }: Tree): string[] => jobs.map(({ state }) => state);

const current = ({ jobs }: Tree): Job[] => jobs.filter(isCurrent);

/** All events that are possible now according to the reference. */
function eventsOf(plan: Plan, tree: Tree, model: Reference, newId: () => string): Event[] {
  const isOver = /^(passed|failed|canceled|not_run|canceling)$/.test(model.build);
  const events = model.states.flatMap((state, index): Event[] => {
    const step = plan.steps[index];
    const id = current(tree)[index]?.id ?? '';
    if (step === undefined) return [];
    const event = (name: string, real: Event['real'], expected: Event['expected']): Event => ({
      ...{ name: `${name} ${index}`, real, expected },
    });
    const finish = (exitStatus: number): Event =>
      event(
        `finish ${exitStatus}`,
        (before) => finishJob(before, id, outcome({ exitStatus }), 3, newId),
        () => model.finish(index, exitStatus),
      );
    const cancel = isOver
      ? []
      : [
          event(
            'cancel step',
            (before) => cancelStep(before, current(before)[index]?.stepId ?? '', 4),
            () => model.cancelStep(index),
          ),
        ];
    if (step.type === 'trigger' && state === 'scheduled')
      return [
        event(
          'trigger',
          (before) => startTrigger(before, id, { buildId: 'b', number: 2, pipelineSlug: 'p' }, 2),
          () => model.trigger(index),
        ),
      ];
    if (step.type === 'trigger' && state === 'running')
      return [true, false].map((passed) =>
        event(
          `triggered ${passed}`,
          (before) => finishTrigger(before, id, passed ? 'passed' : 'failed', 3),
          () => model.triggered(index, passed),
        ),
      );
    if (state === 'scheduled')
      return [
        event(
          'start',
          (before) => startJob(before, id, agent, 2),
          () => model.start(index),
        ),
        ...cancel,
      ];
    if (state === 'limited')
      return [
        event(
          'admit',
          (before) => admitJob(before, id, 2),
          () => model.admit(index),
        ),
      ];
    if (state === 'running') return [0, 0, 1, 2].map(finish);
    if (state === 'canceling') return [finish(1)];
    if (state === 'blocked')
      return [
        event(
          'unblock',
          (before) => unblockJob(before, id, { userId: null, fields: {} }, 2),
          () => model.unblock(index),
        ),
        ...cancel,
      ];
    const isRetryable = step.type === 'command' && ['passed', 'failed', 'canceled'].includes(state);
    if (isRetryable && !/cancel/.test(model.build))
      return [
        event(
          'retry',
          (before) => retryJob(before, id, 5, newId),
          () => model.retry(index),
        ),
      ];
    return state === 'waiting' ? cancel : [];
  });
  const cancelAll: Event = {
    name: 'cancel build',
    real: (before) => cancelBuild(before, null, 6),
    expected: () => model.cancelBuild(),
  };
  // Retries and cancels are rare, otherwise no build would finish.
  return isOver ? events : [...events, cancelAll];
}

const rare = /^(cancel|retry)/;

function expectAgreement(tree: Tree, model: Reference, log: readonly string[]): void {
  const { state, blocked } = tree.build;
  const real = {
    states: current(tree).map((job) => job.state),
    build: blocked ? `${state} blocked` : state,
    executions: tree.jobs.length,
  };
  const { states, build, executions } = model;
  const wanted = { states, build, executions };
  // Formatting the difference would take nearly all of the time.
  if (!isDeepStrictEqual(real, wanted)) expect(real, log.join(', ')).toEqual(wanted);
}

function live(plan: Plan, choices: readonly number[]): void {
  const model = reference(plan.steps);
  const newId = countingIds('new');
  const log: string[] = [];
  let tree = buildOf(plan);
  expectAgreement(tree, model, log);
  for (const choice of choices) {
    const all = eventsOf(plan, tree, model, newId);
    const usual = all.filter(({ name }) => !rare.test(name));
    const events = choice % 8 === 0 || usual.length === 0 ? all : usual;
    const event = events[Math.floor(choice / 8) % Math.max(events.length, 1)];
    if (event === undefined) break;
    log.push(event.name);
    const before = tree;
    tree = event.real(before);
    event.expected();
    expectAgreement(tree, model, log);
    // A tree without its cached schedule must work just as well.
    if (choice % 5 === 0) {
      const [settled, was] = [settle(before, 7), before].map(statesOf);
      if (settled?.join() !== was?.join()) expect(settled).toEqual(was);
    }
    if (choice % 7 === 0) tree = { ...tree, jobs: [...tree.jobs] };
    const lost = tree.jobs.filter(({ id }) => findJob(tree, id)?.id !== id);
    if (lost.length > 0) expect(lost).toEqual([]);
  }
}

test('ten thousand random builds follow the documented rules', () => {
  const choices = fc.array(fc.nat(10_000), { minLength: 5, maxLength: 40 });
  fc.assert(
    fc.property(randomPlan, choices, (plan, drawn) => {
      fc.pre(cycleIn(plan.steps) === undefined);
      live(plan, drawn);
    }),
    { numRuns: some(10_000), seed: 20_261_122 },
  );
});

test('steps depend on each other exactly if a passing build would never finish', () => {
  fc.assert(
    fc.property(randomPlan, (plan) => {
      const model = reference(plan.steps);
      const succeed = (): boolean =>
        model.states.some((state, step) => {
          const type = plan.steps[step]?.type;
          if (state === 'scheduled' && type === 'trigger') model.trigger(step);
          else if (state === 'scheduled') model.start(step);
          else if (state === 'running' && type === 'trigger') model.triggered(step, true);
          else if (state === 'running') model.finish(step, 0);
          else if (state === 'limited') model.admit(step);
          else if (state === 'blocked') model.unblock(step);
          else return false;
          return true;
        });
      while (succeed());
      expect(cycleIn(plan.steps) !== undefined).toBe(model.states.includes('waiting'));
    }),
    { numRuns: some(3000), seed: 20_261_122 },
  );
});
