/** Dependencies between steps: from `depends_on`, and from `wait` and `block` steps. */
import type { Dependency, Step } from '../pipeline/plan.ts';

export interface Need {
  /** The needed steps. Dependencies on the same steps share this object. */
  readonly list: StepList;
  /** The key in `depends_on`. Null if the dependency results from the order of the steps. */
  readonly key: string | null;
  /** Whether the needed steps may fail. They must finish in any case. */
  readonly allowFailure: boolean;
}

export interface StepList {
  readonly steps: readonly number[];
  /** Earlier steps that also belong to this list. A `wait` step needs all steps before it. */
  readonly earlier: StepList | null;
}

export function needsOf(steps: readonly Step[]): readonly (readonly Need[])[] {
  const named = stepsByKey(steps);
  const file = newOrder();
  const groups = new Map<number, Order>();
  return steps.map((step, index) => {
    const { group } = step;
    // If a group has dependencies, the order of its steps is tracked separately.
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

/** The steps that the next step in file order may depend on. A gate is a `wait` or `block` step. */
interface Order {
  /** The last gate without `depends_on`, and all later gates, which do have `depends_on`. */
  gates: MutableList;
  /** The last gate and all later steps. Each gate starts a new list that refers to this list. */
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
 * A `wait` step needs all steps before it, a `block` step needs the last gate and the steps since
 * then, and any other step only needs the gates. If a `wait` step continues after failures, the
 * earlier gates must pass, but the other steps only need to finish.
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
