/** The dependencies of a plan in the form in which changes run along them. */
import type { Plan } from '../pipeline/plan.ts';
import { needsOf, type StepList } from './needs.ts';

export interface Graph {
  /** Sets of steps that others need as a whole. */
  readonly sets: readonly StepSet[];
  /** By step: the numbers of the sets that it belongs to. */
  readonly setsOf: readonly (readonly number[])[];
  /** By step: the numbers of the sets that it needs. */
  readonly needs: readonly (readonly SetNeed[])[];
}

export interface StepSet {
  /** The steps that need it. */
  readonly dependents: readonly Dependent[];
  /** The set that it is a part of, as if it were one of its steps. */
  readonly whole: number | null;
}

interface SetNeed {
  readonly set: number;
  readonly allowFailure: boolean;
}

interface Dependent {
  readonly step: number;
  readonly allowFailure: boolean;
}

const knownGraphs = new WeakMap<Plan['steps'], Graph>();

/** Computed once per list of steps. Its size is that of the file, however many jobs share a key. */
export function graphOf({ steps }: Pick<Plan, 'steps'>): Graph {
  const graph = knownGraphs.get(steps) ?? makeGraph(steps);
  knownGraphs.set(steps, graph);
  return graph;
}

/** The plan with steps whose dependencies are those of `plan`: its graph is not computed again. */
export function withSteps(plan: Plan, steps: Plan['steps']): Plan {
  knownGraphs.set(steps, graphOf(plan));
  return { ...plan, steps };
}

function makeGraph(steps: Plan['steps']): Graph {
  const numbers = new Map<StepList, number>();
  const sets: { dependents: Dependent[]; whole: number | null }[] = [];
  const setsOf = steps.map((): number[] => []);
  const addSet = (list: StepList): number => {
    const number = sets.push({ dependents: [], whole: null }) - 1;
    numbers.set(list, number);
    for (const member of list.steps) setsOf[member]?.push(number);
    return number;
  };
  const numberOf = (list: StepList): number => {
    const number = numbers.get(list) ?? addSet(list);
    let whole = number;
    for (let part = list.earlier; part !== null; part = part.earlier) {
      const before = numbers.get(part);
      const set = before ?? addSet(part);
      sets[set] = { dependents: sets[set]?.dependents ?? [], whole };
      // What is earlier than a set that was there already belongs to it.
      if (before !== undefined) break;
      whole = set;
    }
    return number;
  };
  const needs = needsOf(steps).map((needed, step) =>
    needed.map(({ list, allowFailure }) => {
      const set = numberOf(list);
      sets[set]?.dependents.push({ step, allowFailure });
      return { set, allowFailure };
    }),
  );
  return { sets, setsOf, needs };
}
