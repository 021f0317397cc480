/** The library's tree -> values with their places. */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import type { Entry, List, Mapping, SourcePosition, Report, Scalar, Value } from '../value.ts';
import { maxDepth, maxValues, tooDeep } from './limits.ts';
import { mergeInto } from './merge.ts';

export interface Walk {
  readonly document: Document;
  readonly report: Report;
  readonly positionOf: (node: Node | null | undefined) => SourcePosition;
  values: number;
  /** Part of the file could not be read, so that what it means cannot be judged. */
  broken: boolean;
}

/** One value with all that is in it. What cannot be read is reported, and empty. */
export function convertNode(walk: Walk, node: Node | null | undefined, depth: number): Value {
  const at = walk.positionOf(node);
  if (isOverLimit(walk, at, depth)) return empty(at);
  if (isAlias(node)) return aliased(walk, node.resolve(walk.document), node, depth);
  if (isMap(node)) return mapping(walk, node as YAMLMap<Node>, depth);
  if (isSeq(node)) {
    const items: Value[] = [];
    for (const item of node.items) items.push(convertNode(walk, item as Node | null, depth + 1));
    return list(items, at, node.anchor !== undefined);
  }
  if (isScalar(node)) {
    const text = node.source ?? String(node.value);
    return {
      kind: 'scalar',
      text,
      isNull: node.value === null,
      at,
      anchored: node.anchor !== undefined,
    };
  }
  return empty(at);
}

/** From the first breach on nothing is walked any more, so that it is reported once. */
function isOverLimit(walk: Walk, at: SourcePosition, depth: number): boolean {
  if (walk.values > maxValues) return true;
  if (depth > maxDepth) {
    walk.values = maxValues;
    fail(walk, at, tooDeep);
  } else if (walk.values === maxValues) {
    fail(walk, at, `the file has more than ${maxValues} values once its aliases are followed`);
  }
  walk.values++;
  return walk.broken && walk.values > maxValues;
}

function fail(walk: Walk, at: SourcePosition, text: string): undefined {
  walk.broken = true;
  walk.report(at, text);
}

function aliased(walk: Walk, target: Node | undefined, alias: Node, depth: number): Value {
  if (target === undefined) fail(walk, walk.positionOf(alias), 'the alias has no anchor before it');
  const value = convertNode(walk, target, depth + 1);
  return { ...value, at: walk.positionOf(alias), anchored: false };
}

const empty = (at: SourcePosition): Scalar => ({
  kind: 'scalar',
  text: '',
  isNull: true,
  at,
  anchored: false,
});

const list = (items: readonly Value[], at: SourcePosition, anchor: boolean): List => ({
  kind: 'list',
  items,
  at,
  anchored: anchor || items.some((item) => item.anchored),
});

function mapping(walk: Walk, node: YAMLMap<Node>, depth: number): Mapping {
  const entries = new Map<string, Entry>();
  const merges: Value[] = [];
  let anchored = node.anchor !== undefined;
  for (const pair of node.items) {
    const entry = readEntry(walk, pair, depth);
    if (entry === undefined) continue;
    anchored ||= entry.value.anchored;
    const before = entries.get(entry.key);
    if (isMerge(pair)) merges.push(entry.value);
    else if (before === undefined) entries.set(entry.key, entry);
    else
      walk.report(
        entry.at,
        `the key \`${entry.key}\` is given twice, first in line ${before.at.line}`,
      );
  }
  for (const source of merges) mergeInto(entries, source, walk.report);
  return { kind: 'mapping', entries, at: walk.positionOf(node), anchored };
}

function readEntry(walk: Walk, pair: Pair<Node>, depth: number): Entry | undefined {
  const key = convertNode(walk, pair.key, depth + 1);
  if (key.kind !== 'scalar') {
    fail(walk, key.at, 'a key must be a text');
    return;
  }
  // An empty value has its place after the key, perhaps on the next line: the key's is clearer.
  const value = convertNode(walk, pair.value as Node | null, depth + 1);
  if (walk.values > maxValues) return undefined;
  const isEmpty = value.kind === 'scalar' && value.isNull && value.text === '';
  return { key: key.text, at: key.at, value: isEmpty ? { ...value, at: key.at } : value };
}

const isMerge = (pair: Pair<Node>): boolean =>
  isScalar(pair.key) && pair.key.type === 'PLAIN' && pair.key.source === '<<';
