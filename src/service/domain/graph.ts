/** The dependencies of a plan in the form in which changes run along them. */
import type { Plan } from '../pipeline/plan.ts';
import { needsOf } from './needs.ts';

export interface Graph {
  /** Sets of steps that others need as a whole. */
  readonly sets: readonly StepSet[];
  /** By step: the numbers of the sets that it belongs to. */
  readonly setsOf: readonly (readonly number[])[];
  /** By step: the numbers of the sets that it needs. */
  readonly needs: readonly (readonly SetNeed[])[];
}

export interface StepSet {
  readonly steps: readonly number[];
  /** The steps that need it. */
  readonly dependents: readonly Dependent[];
}

interface SetNeed {
  readonly set: number;
  readonly allowFailure: boolean;
}

interface Dependent {
  readonly step: number;
  readonly allowFailure: boolean;
}

const known = new WeakMap<Plan['steps'], Graph>();

/** Computed once per list of steps. Its size is that of the file, however many jobs share a key. */
export function graphOf({ steps }: Pick<Plan, 'steps'>): Graph {
  const graph = known.get(steps) ?? makeGraph(steps);
  known.set(steps, graph);
  return graph;
}

/** The plan with steps whose dependencies are those of `plan`: its graph is not computed again. */
export function withSteps(plan: Plan, steps: Plan['steps']): Plan {
  known.set(steps, graphOf(plan));
  return { ...plan, steps };
}

function makeGraph(steps: Plan['steps']): Graph {
  const numbers = new Map<readonly number[], number>();
  const sets: { steps: readonly number[]; dependents: Dependent[] }[] = [];
  const setsOf = steps.map((): number[] => []);
  const numberOf = (members: readonly number[]): number => {
    const old = numbers.get(members);
    if (old !== undefined) return old;
    const number = sets.push({ steps: members, dependents: [] }) - 1;
    numbers.set(members, number);
    for (const member of members) setsOf[member]?.push(number);
    return number;
  };
  const needs = needsOf(steps).map((list, step) =>
    list.map(({ steps: members, allowFailure }) => {
      const set = numberOf(members);
      sets[set]?.dependents.push({ step, allowFailure });
      return { set, allowFailure };
    }),
  );
  return { sets, setsOf, needs };
}
