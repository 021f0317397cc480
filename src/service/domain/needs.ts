/** The dependencies between steps: `depends_on`, and the order of waits and blocks in the file. */
import type { Dependency, Step } from '../pipeline/plan.ts';

export interface Need {
  /** Shared by all needs of the same steps. */
  readonly list: StepList;
  /** The key in the file; null if the need results from the order of the file. */
  readonly key: string | null;
  /** The steps need not have passed, only finished. */
  readonly allowFailure: boolean;
}

export interface StepList {
  readonly steps: readonly number[];
  /** Earlier steps of the file that also belong to the list: a wait needs all steps before it. */
  readonly earlier: StepList | null;
}

export function needsOf(steps: readonly Step[]): readonly (readonly Need[])[] {
  const named = stepsByKey(steps);
  const file = newOrder();
  const groups = new Map<number, Order>();
  return steps.map((step, index) => {
    const { group } = step;
    // The steps of a group with dependencies have an order of their own.
    const inner = group?.dependsOn ? orderOf(groups, group.definition) : undefined;
    const own = step.dependsOn === null ? (inner ?? file) : undefined;
    const ordered = own === undefined ? [] : orderNeeds(own, step);
    for (const order of inner === undefined ? [file] : [file, inner])
      record(order, step, index, order === own);
    return [...namedNeeds(named, step), ...ordered];
  });
}

function stepsByKey(steps: readonly Step[]): ReadonlyMap<string, StepList> {
  const named = new Map<string, MutableList>();
  steps.forEach(({ key, group }, index) => {
    for (const name of new Set([key, group?.key ?? null])) {
      if (name === null) continue;
      const others = named.get(name);
      if (others === undefined) named.set(name, listOf([index]));
      else others.steps.push(index);
    }
  });
  return named;
}

function namedNeeds(named: ReadonlyMap<string, StepList>, step: Step): Need[] {
  const wanted: Dependency[] = [...(step.group?.dependsOn ?? []), ...(step.dependsOn ?? [])];
  return wanted.flatMap(({ step: key, allowFailure }) => {
    const list = named.get(key);
    const allowed = allowFailure || step.allowDependencyFailure;
    return list === undefined ? [] : [{ list, key, allowFailure: allowed }];
  });
}

type MutableList = StepList & { readonly steps: number[] };

/** What the next step in the order of the file depends on. A gate is a wait or a block. */
interface Order {
  /** The last gate, and later gates with dependencies of their own. */
  gates: MutableList;
  /** The last gate and all steps since. A gate starts a new list and refers to this one. */
  all: MutableList;
}

const listOf = (steps: number[], earlier: StepList | null = null): MutableList => ({
  steps,
  earlier,
});

const newOrder = (): Order => ({ gates: listOf([]), all: listOf([]) });

function orderOf(orders: Map<number, Order>, definition: number): Order {
  const order = orders.get(definition) ?? newOrder();
  orders.set(definition, order);
  return order;
}

/**
 * A wait needs all steps before it, a block the last gate and the steps since, any other step the
 * gates. A wait that continues after failures needs the other steps only to be finished, but still
 * needs earlier gates to pass.
 */
function orderNeeds({ gates, all }: Order, step: Step): Need[] {
  const isPlain = isGate(step) && !isLenient(step);
  const list = step.type === 'block' ? listOf(all.steps) : all;
  const needs = [
    ...(isPlain ? [] : [{ list: gates, allowFailure: false }]),
    ...(isGate(step) ? [{ list, allowFailure: !isPlain }] : []),
  ];
  return needs.flatMap(({ list, allowFailure }) =>
    list.steps.length === 0 ? [] : [{ list, key: null, allowFailure }],
  );
}

function record(order: Order, step: Step, index: number, isOwn: boolean): void {
  if (isGate(step) && isOwn) {
    order.gates = listOf([index]);
    order.all = listOf([index], order.all.steps.length === 0 ? null : order.all);
    return;
  }
  if (isGate(step)) order.gates = listOf([...order.gates.steps, index]);
  order.all.steps.push(index);
}

const isGate = ({ type, omitted }: Step): boolean =>
  (type === 'wait' || type === 'block') && omitted === null;

const isLenient = (step: Step): boolean => step.type === 'wait' && step.continueOnFailure;
