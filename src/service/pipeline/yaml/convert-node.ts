/** The library's tree -> values with their places. */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Alias,
  type Node,
  type Pair,
  type Scalar as LibraryScalar,
  type YAMLMap,
} from 'yaml';
import type { Entry, List, Mapping, SourcePosition, Report, Scalar, Value } from '../value.ts';
import { mergeInto } from './merge.ts';

export interface Walk {
  readonly targets: ReadonlyMap<Alias, Node>;
  readonly report: Report;
  /** The place of a node, or of what stands right before it. */
  readonly positionOf: (node: unknown, before?: string) => SourcePosition;
  /** Part of the file could not be read, so that what it means cannot be judged. */
  broken: boolean;
}

/** One value with all that is in it. What cannot be read is reported, and empty. */
export function convertNode(walk: Walk, node: Node | null | undefined): Value {
  const at = walk.positionOf(node);
  if (isAlias(node)) return aliased(walk, node);
  if (isMap(node)) return mapping(walk, node as YAMLMap<Node>);
  if (isSeq(node)) {
    const items = node.items.map((item) => convertNode(walk, item as Node | null));
    return list(items, at, node.anchor !== undefined);
  }
  if (isScalar(node) && node.tag?.startsWith('!') === true)
    tagged(walk, node.tag, walk.positionOf(node, node.tag));
  return isScalar(node) ? scalar(node, at) : empty(at);
}

const scalar = (node: LibraryScalar, at: SourcePosition): Scalar => ({
  kind: 'scalar',
  text: node.source ?? String(node.value),
  isNull: node.value === null,
  isPlain: node.type === 'PLAIN',
  at,
  anchored: node.anchor !== undefined,
});

/** Taken for what it is, a negation would be lost without a word. */
const tagged = (walk: Walk, tag: string, at: SourcePosition): undefined =>
  fail(walk, at, `\`${tag}\` is a tag of YAML and no part of the value; put the value in quotes`);

function fail(walk: Walk, at: SourcePosition, text: string): undefined {
  walk.broken = true;
  walk.report(at, text);
}

function aliased(walk: Walk, alias: Alias): Value {
  const at = walk.positionOf(alias);
  const target = walk.targets.get(alias);
  if (target === undefined) fail(walk, at, 'the alias has no anchor before it');
  return { ...convertNode(walk, target), at, anchored: false };
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

/** A key of its own stands over one that is merged, in the place of the first of them. */
function mapping(walk: Walk, node: YAMLMap<Node>): Mapping {
  const entries = new Map<string, Entry>();
  const own = new Map<string, Entry>();
  let anchored = node.anchor !== undefined;
  for (const pair of node.items) {
    const entry = readEntry(walk, pair);
    if (entry === undefined) continue;
    anchored ||= entry.value.anchored;
    if (isMerge(pair)) {
      mergeInto(entries, entry.value, walk.report);
      continue;
    }
    const before = own.get(entry.key);
    if (before !== undefined) {
      const first = `first in line ${before.at.line}`;
      walk.report(entry.at, `the key \`${entry.key}\` is given twice, ${first}`);
    }
    own.set(entry.key, entry);
    entries.set(entry.key, entry);
  }
  return { kind: 'mapping', entries, at: walk.positionOf(node), anchored };
}

function readEntry(walk: Walk, pair: Pair<Node>): Entry | undefined {
  const key = convertNode(walk, pair.key);
  if (key.kind !== 'scalar' || key.isNull) {
    fail(walk, key.at, 'a key must be a text');
    return;
  }
  // An empty value has its place after the key, perhaps on the next line: the key's is clearer.
  const value = convertNode(walk, pair.value as Node | null);
  const isEmpty = value.kind === 'scalar' && value.isNull && value.text === '';
  return { key: key.text, at: key.at, value: isEmpty ? { ...value, at: key.at } : value };
}

const isMerge = (pair: Pair<Node>): boolean =>
  isScalar(pair.key) && pair.key.type === 'PLAIN' && pair.key.source === '<<';
