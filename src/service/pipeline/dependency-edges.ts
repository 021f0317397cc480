/**
 * What each step of a file waits for, as far as circles go: the same steps that the scheduler waits
 * for, whether they have to pass or only to end.
 */
import type { PlanNode } from './steps/context.ts';

/** By definition: the definitions that come before it. A group stands for all its steps. */
export function edgesOf(
  nodes: readonly PlanNode[],
  keys: ReadonlyMap<string, number>,
): readonly (readonly number[])[] {
  const edges = nodes.map((node): number[] => named(node, keys));
  const file: Order = { gates: [], sinceGate: [] };
  const orders = new Map<number, Order>();
  nodes.forEach((node, index) => {
    if (node.kind === 'group') return;
    const group = node.group === null ? undefined : nodes[node.group];
    if (node.group !== null) edges[node.group]?.push(index);
    if (group?.dependsOn) edges[index]?.push(...named(group, keys));
    // The steps of a group with dependencies of its own have their order among themselves.
    const inner = group?.dependsOn ? orderOf(orders, node.group ?? 0) : undefined;
    const own = node.dependsOn === null ? (inner ?? file) : undefined;
    if (own !== undefined) edges[index]?.push(...before(own, node));
    for (const order of inner === undefined ? [file] : [file, inner])
      record(order, node, index, order === own);
  });
  // A group itself waits for nothing but its steps: they carry what it asks for.
  return edges.map((list, index) =>
    nodes[index]?.kind === 'group' ? list.filter((to) => nodes[to]?.group === index) : list,
  );
}

const named = ({ dependsOn }: PlanNode, keys: ReadonlyMap<string, number>): number[] =>
  (dependsOn ?? []).flatMap(({ step }) => keys.get(step) ?? []);

interface Order {
  /** The last gate, and gates after it that have dependencies of their own. */
  gates: number[];
  sinceGate: number[];
}

function orderOf(orders: Map<number, Order>, definition: number): Order {
  const order = orders.get(definition) ?? { gates: [], sinceGate: [] };
  orders.set(definition, order);
  return order;
}

const before = ({ gates, sinceGate }: Order, { kind }: PlanNode): number[] =>
  kind === 'gate' ? [...gates, ...sinceGate] : gates;

function record(order: Order, { kind }: PlanNode, index: number, isOwn: boolean): void {
  if (kind === 'gate' && isOwn) {
    order.gates = [index];
    order.sinceGate = [];
    return;
  }
  if (kind === 'gate') order.gates.push(index);
  order.sinceGate.push(index);
}
