/** Which steps come before which: what the file says, and the order of its gates. */
import type { Dependency, Step } from '../pipeline/plan.ts';

/** What has to come before a step: all of these steps, or nothing of it counts. */
export interface Need {
  /** Indexes of steps; needs on the same steps share one array. */
  readonly steps: readonly number[];
  /** The key by which the file names them; null: the order of the file. */
  readonly key: string | null;
  /** It is enough that they have ended. */
  readonly allowFailure: boolean;
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

function stepsByKey(steps: readonly Step[]): ReadonlyMap<string, readonly number[]> {
  const named = new Map<string, number[]>();
  steps.forEach(({ key, group }, index) => {
    for (const name of new Set([key, group?.key ?? null])) {
      if (name === null) continue;
      const others = named.get(name);
      if (others === undefined) named.set(name, [index]);
      else others.push(index);
    }
  });
  return named;
}

function namedNeeds(named: ReadonlyMap<string, readonly number[]>, step: Step): Need[] {
  const wanted: Dependency[] = [...(step.group?.dependsOn ?? []), ...(step.dependsOn ?? [])];
  return wanted.flatMap(({ step: key, allowFailure }) => {
    const steps = named.get(key);
    const allowed = allowFailure || step.allowDependencyFailure;
    return steps === undefined ? [] : [{ steps, key, allowFailure: allowed }];
  });
}

/** What the steps so far ask of those that follow in the order of the file. */
interface Order {
  /** The last gate of this order, and gates after it that have dependencies of their own. */
  gates: number[];
  /** All since that gate. */
  sinceGate: number[];
  /** The last gate that asks for success, and all since. */
  sincePlain: number[];
}

const newOrder = (): Order => ({ gates: [], sinceGate: [], sincePlain: [] });

function orderOf(orders: Map<number, Order>, definition: number): Order {
  const order = orders.get(definition) ?? newOrder();
  orders.set(definition, order);
  return order;
}

/**
 * A gate needs all before it, of which the gate before stands for what is before that; every other
 * step needs the gates. A wait that goes on after failures asks only that they are over, but stands
 * behind earlier gates like any step; so the next plain gate looks back beyond it.
 */
function orderNeeds(order: Order, step: Step): Need[] {
  const [hard, soft] = !isGate(step)
    ? [order.gates, []]
    : isPlain(step)
      ? [order.sincePlain, []]
      : [order.gates, order.sinceGate];
  return [
    ...(hard.length === 0 ? [] : [{ steps: hard, key: null, allowFailure: false }]),
    ...(soft.length === 0 ? [] : [{ steps: soft, key: null, allowFailure: true }]),
  ];
}

/** The lists of an order belong to needs by now: they are replaced at gates, and only grow between. */
function record(order: Order, step: Step, index: number, isOwn: boolean): void {
  if (isGate(step) && isOwn) {
    order.gates = [index];
    order.sinceGate = [];
    if (isPlain(step)) order.sincePlain = [index];
    else order.sincePlain.push(index);
    return;
  }
  if (isGate(step)) order.gates = [...order.gates, index];
  order.sinceGate.push(index);
  order.sincePlain.push(index);
}

/** A gate that is left out holds nothing. */
const isGate = ({ type, omitted }: Step): boolean =>
  (type === 'wait' || type === 'block') && omitted === null;

const isPlain = (step: Step): boolean => !(step.type === 'wait' && step.continueOnFailure);
