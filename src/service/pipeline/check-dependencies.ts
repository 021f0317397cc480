/** Keys and dependencies of a whole file: doubled keys, keys that nothing has, circles. */
import { edgesOf } from './dependency-edges.ts';
import { findCircles } from './find-circles.ts';
import type { Reading } from './reading.ts';
import type { LoadOptions } from './load.ts';
import type { PlanNode } from './steps/context.ts';

type Options = Pick<LoadOptions, 'keys' | 'ignoreMissingDependencies'>;

/** The index of a node is the number of its definition. `keys` are those of the build's other files. */
export function checkDependencies(
  reading: Reading,
  nodes: readonly PlanNode[],
  { keys: others = [], ignoreMissingDependencies }: Options,
): void {
  const keys = nodesByKey(reading, nodes);
  const known = new Set([...keys.keys(), ...others]);
  const running = nodes.filter(({ isExcluded }) => !isExcluded);
  for (const node of running) checkNames(reading, node, known, ignoreMissingDependencies === true);
  for (const circle of findCircles(edgesOf(nodes, keys))) reportCircle(reading, nodes, circle);
}

/** The node of each key. */
function nodesByKey(reading: Reading, nodes: readonly PlanNode[]): ReadonlyMap<string, number> {
  const keys = new Map<string, number>();
  nodes.forEach(({ key, at, isExcluded }, index) => {
    if (key === null) return;
    const before = keys.get(key);
    if (before === undefined) {
      keys.set(key, index);
      return;
    }
    const owner = nodes[before];
    // Of steps with the same key, only one may run.
    if (isExcluded) return;
    if (owner?.isExcluded === true) {
      keys.set(key, index);
      return;
    }
    const kind = owner?.kind === 'group' ? 'group' : 'step';
    const line = owner?.at.line ?? 0;
    reading.problem(at, `the key \`${key}\` is taken by the ${kind} in line ${line}`);
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
    const text = `no step and no group has the key \`${step}\``;
    if (isIgnored) reading.notice(at, `${text}: the dependency is ignored${hint}`);
    else reading.problem(at, `${text}${hint}`);
  }
}

function reportCircle(
  reading: Reading,
  nodes: readonly PlanNode[],
  circle: readonly number[],
): void {
  const members = circle.flatMap((index) => nodes[index] ?? []);
  const [first] = members;
  const asking = members.find(({ dependsOn }) => dependsOn !== null && dependsOn.length > 0);
  if (first === undefined) return;
  const at = asking?.dependsOn?.[0]?.at ?? first.at;
  if (members.length === 1) {
    reading.problem(at, `\`${first.name}\` depends on itself`);
    return;
  }
  const way = [...members, first].map(({ name }) => `\`${name}\``).join(' -> ');
  reading.problem(at, `these wait for each other: ${way}`);
}
