import { flag, invalid, isNull, text, type Reading } from './reading.ts';
import type { Entry, SourcePosition, Value } from './value.ts';
import { checkKeys, type Keys } from './keys.ts';
import type { Dependency } from './plan.ts';
import type { LoadOptions } from './load.ts';

const dependencyKeys: Keys = { name: 'a `depends_on` entry', run: ['step', 'allow_failure'] };

/**
 * Reads `depends_on`: a key, or a list of keys and `{step, allow_failure}` mappings. A step with an
 * empty list starts immediately. Returns null if the step has no `depends_on`.
 */
export function readDependencies(
  reading: Reading,
  entry: Entry | undefined,
): PlacedDependency[] | null {
  if (entry === undefined || isNull(entry.value)) return null;
  const values = entry.value.kind === 'list' ? entry.value.items : [entry.value];
  return values.flatMap((value) => readDependency(reading, value));
}

function readDependency(reading: Reading, value: Value): PlacedDependency[] {
  const isMapping = value.kind === 'mapping';
  if (isMapping) checkKeys(reading, value, dependencyKeys);
  const step = isMapping ? value.entries.get('step')?.value : value;
  const allowFailure = isMapping && flag(reading, value.entries.get('allow_failure'), false);
  if (step === undefined || isNull(step) || value.kind === 'list')
    return invalid(reading, value, 'a `depends_on` entry must be a key, or have `step`', []);
  const key = text(reading, step, isMapping ? '`step`' : '`depends_on`');
  return [{ step: key, allowFailure, at: step.at }];
}

export interface PlanNode {
  readonly kind: 'step' | 'gate' | 'group';
  readonly key: string | null;
  readonly name: string;
  readonly at: SourcePosition;
  readonly dependsOn: readonly PlacedDependency[] | null;
  /** The index of the group that contains the step. */
  readonly group: number | null;
  /** Whether a condition excludes the step from this build. */
  readonly isExcluded: boolean;
}

interface PlacedDependency extends Dependency {
  readonly at: SourcePosition;
}

/**
 * Reports duplicate keys, unknown keys in dependencies, and cycles. A node's index is its position
 * in definition order.
 */
export function checkDependencies(
  reading: Reading,
  nodes: readonly PlanNode[],
  { keys: others = [], ignoreMissingDependencies }: LoadOptions,
): void {
  const keys = nodesByKey(reading, nodes);
  const known = new Set([...keys.keys(), ...others]);
  const running = nodes.filter(({ isExcluded }) => !isExcluded);
  for (const node of running) checkNames(reading, node, known, ignoreMissingDependencies === true);
  for (const circle of findCircles(edgesOf(nodes, keys))) reportCircle(reading, nodes, circle);
}

function nodesByKey(reading: Reading, nodes: readonly PlanNode[]): ReadonlyMap<string, number> {
  const keys = new Map<string, number>();
  nodes.forEach(({ key, at, isExcluded }, index) => {
    if (key === null) return;
    const owner = nodes[keys.get(key) ?? -1];
    // Several steps may have the same key if only one of them runs.
    if (owner === undefined || (owner.isExcluded && !isExcluded)) keys.set(key, index);
    else if (!isExcluded) {
      const other = `${owner.kind === 'group' ? 'group' : 'step'} on line ${owner.at.line}`;
      reading.problem(at, `the key \`${key}\` is already used by the ${other}`);
    }
  });
  return keys;
}

function checkNames(
  reading: Reading,
  { dependsOn }: PlanNode,
  keys: ReadonlySet<string>,
  isIgnored: boolean,
): void {
  for (const { step, at } of dependsOn ?? []) {
    if (keys.has(step)) continue;
    const hint = reading.didYouMean(step, keys);
    const text = `no step or group has the key \`${step}\``;
    if (isIgnored) reading.notice(at, `${text}: the dependency is ignored${hint}`);
    else reading.problem(at, `${text}${hint}`);
  }
}

function reportCircle(reading: Reading, nodes: readonly PlanNode[], circle: readonly number[]) {
  const members = circle.flatMap((index) => nodes[index] ?? []);
  const [first] = members;
  const asking = members.find(({ dependsOn }) => dependsOn !== null && dependsOn.length > 0);
  if (first === undefined) return;
  const at = asking?.dependsOn?.[0]?.at ?? first.at;
  const way = [...members, first].map(({ name }) => `\`${name}\``).join(' -> ');
  if (members.length === 1) reading.problem(at, `\`${first.name}\` depends on itself`);
  else reading.problem(at, `circular dependency: ${way}`);
}

/** For each node, returns the nodes that it must wait for. A group waits for its own steps. */
function edgesOf(nodes: readonly PlanNode[], keys: ReadonlyMap<string, number>) {
  const edges = nodes.map((node): number[] => named(node, keys));
  const file: Order = { gates: [], sinceGate: [] };
  const orders = new Map<number, Order>();
  nodes.forEach((node, index) => {
    if (node.kind === 'group') return;
    const group = node.group === null ? undefined : nodes[node.group];
    if (node.group !== null) edges[node.group]?.push(index);
    if (group?.dependsOn) edges[index]?.push(...named(group, keys));
    // If the group has `depends_on`, waits and blocks outside the group do not apply to its steps.
    const inner = group?.dependsOn ? orderOf(orders, node.group ?? 0) : undefined;
    const own = node.dependsOn === null ? (inner ?? file) : undefined;
    if (own !== undefined) edges[index]?.push(...before(own, node));
    for (const order of inner === undefined ? [file] : [file, inner])
      record(order, node, index, order === own);
  });
  // A group itself only waits for its steps, because they have inherited its dependencies.
  return edges.map((list, index) =>
    nodes[index]?.kind === 'group' ? list.filter((to) => nodes[to]?.group === index) : list,
  );
}

const named = ({ dependsOn }: PlanNode, keys: ReadonlyMap<string, number>): number[] =>
  (dependsOn ?? []).flatMap(({ step }) => keys.get(step) ?? []);

interface Order {
  /** The last gate (wait or block) without `depends_on`, and all later gates with `depends_on`. */
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

/**
 * Finds cycles, each as a list of its nodes. Visits every node once, so it may miss a cycle that
 * shares nodes with another cycle.
 */
function findCircles(edges: readonly (readonly number[])[]): number[][] {
  const circles: number[][] = [];
  const done = new Set<number>();
  const place = new Map<number, number>();
  for (const start of edges.keys()) {
    const way: { node: number; next: number }[] = [];
    const enter = (node: number): void => {
      place.set(node, way.length);
      way.push({ node, next: 0 });
    };
    if (!done.has(start)) enter(start);
    // Not recursive, because a chain of dependencies may be as long as the file.
    for (let top = way.at(-1); top !== undefined; top = way.at(-1)) {
      const to = edges[top.node]?.[top.next++];
      if (to === undefined) {
        done.add(top.node);
        place.delete(top.node);
        way.pop();
        continue;
      }
      const from = place.get(to);
      if (from !== undefined) circles.push(way.slice(from).map(({ node }) => node));
      else if (!done.has(to)) enter(to);
    }
  }
  return circles;
}
