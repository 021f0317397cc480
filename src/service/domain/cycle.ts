import type { Step } from '../pipeline/plan.ts';
import { needsOf, type StepList } from './needs.ts';

/**
 * Steps that wait for one another, the first of them last again; undefined where there are none. The
 * order of the file counts: a step before a `wait` cannot depend on one behind it. What is left out
 * waits for nothing.
 */
export function cycleIn(steps: readonly Step[]): readonly Step[] | undefined {
  const needs = needsOf(steps);
  const state = new Map<number | StepList, 'open' | 'done'>();
  const path: { readonly step: number; readonly next: Generator<number, undefined> }[] = [];
  const waits = (step: number) => (steps[step]?.omitted === null ? (needs[step] ?? []) : []);
  const enter = (step: number): void => {
    state.set(step, 'open');
    path.push({ step, next: neededSteps(waits(step), state) });
  };
  for (const start of steps.keys()) {
    if (!state.has(start)) enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { value } = top.next.next();
      if (value === undefined) {
        state.set(top.step, 'done');
        path.pop();
      } else if (state.get(value) === 'open') {
        const from = path.findIndex(({ step }) => step === value);
        return [...path.slice(from), path[from]].flatMap((one) => (one && steps[one.step]) ?? []);
      } else if (!state.has(value)) enter(value);
    }
  }
  return undefined;
}

/** A list of steps that was looked through once leads to no cycle that is not known by then. */
function* neededSteps(
  needs: ReturnType<typeof needsOf>[number],
  state: Map<number | StepList, 'open' | 'done'>,
): Generator<number, undefined> {
  for (const { list } of needs)
    for (let part: StepList | null = list; part !== null; part = part.earlier) {
      if (state.get(part) === 'done') break;
      yield* part.steps;
      state.set(part, 'done');
    }
  return undefined;
}
