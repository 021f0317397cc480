/** Which steps come before which: what the file says, and the order of its gates. */
import type { Dependency, Step } from '../pipeline/plan.ts';

/** What has to come before a step: all of these steps, or nothing of it counts. */
export interface Need {
  /** Needs on the same steps share one list. */
  readonly list: StepList;
  /** The key by which the file names them; null: the order of the file. */
  readonly key: string | null;
  /** It is enough that they have ended. */
  readonly allowFailure: boolean;
}

export interface StepList {
  /** Indexes of steps. */
  readonly steps: readonly number[];
  /** What stands before them in the file, and belongs to it: a gate needs all before it. */
  readonly earlier: StepList | null;
}

/** The direct needs of each step, by its index. A key that no step or group has asks for nothing. */
export function needsOf(steps: readonly Step[]): readonly (readonly Need[])[] {
  const named = stepsByKey(steps);
  const file = newOrder();
  const groups = new Map<number, Order>();
  return steps.map((step, index) => {
    const { group } = step;
    // The steps of a group with dependencies of its own have their order among themselves.
    const inner = group?.dependsOn ? orderOf(groups, group.definition) : undefined;
    const own = step.dependsOn === null ? (inner ?? file) : undefined;
    const ordered = own === undefined ? [] : orderNeeds(own, step);
    for (const order of inner === undefined ? [file] : [file, inner])
      record(order, step, index, order === own);
    return [...namedNeeds(named, step), ...ordered];
  });
}

function stepsByKey(steps: readonly Step[]): ReadonlyMap<string, StepList> {
  const named = new Map<string, ReturnType<typeof listOf>>();
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

/** What the steps so far ask of those that follow in the order of the file. */
interface Order {
  /** The last gate of this order, and gates after it that have dependencies of their own. */
  gates: StepList & { readonly steps: number[] };
  /** That gate and all since; the list belongs to needs once there is the next gate. */
  all: StepList & { readonly steps: number[] };
}

const listOf = (steps: number[], earlier: StepList | null = null) => ({ steps, earlier });

const newOrder = (): Order => ({ gates: listOf([]), all: listOf([]) });

function orderOf(orders: Map<number, Order>, definition: number): Order {
  const order = orders.get(definition) ?? newOrder();
  orders.set(definition, order);
  return order;
}

/**
 * A wait needs all before it, a block the gate before it and what stands since, every other step the
 * gates. A wait that goes on after failures asks only that all before it is over, but stands
 * behind earlier gates like any step; a block behind it lets a person decide.
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

/** A gate that is left out holds nothing. */
const isGate = ({ type, omitted }: Step): boolean =>
  (type === 'wait' || type === 'block') && omitted === null;

const isLenient = (step: Step): boolean => step.type === 'wait' && step.continueOnFailure;
