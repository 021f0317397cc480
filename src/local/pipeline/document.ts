/**
 * The only file that knows the YAML library: text -> values with their places.
 *
 * The tree is walked here and not turned into plain objects, because scalars keep their source
 * text, duplicate keys are told with both places, and aliases are counted before they multiply.
 */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  parseDocument as parseYaml,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import type { Entry, List, Mapping, Place, Report, Scalar, Value } from './value.ts';

/** Bytes of a pipeline file. */
const maxBytes = 1_048_576;
/** Values, every use of an alias counted anew. */
const maxValues = 50_000;
const maxDepth = 64;

interface Walk {
  readonly document: Document;
  readonly report: Report;
  readonly place: (node: Node | null | undefined) => Place;
  values: number;
  /** Part of the file could not be read, so that what it means cannot be judged. */
  broken: boolean;
}

/**
 * Reads one YAML 1.2 document (JSON is one too). Everything wrong with its form goes to `report`;
 * undefined when nothing could be read.
 */
export function parseDocument(text: string, report: Report): Value | undefined {
  const start: Place = { line: 1, column: 1 };
  const refused = tooMuch(text);
  if (refused !== undefined) {
    report(start, refused);
    return;
  }
  const lines = new LineCounter();
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const document = parseYaml(text, {
    version: '1.2',
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
  });
  for (const fault of [...document.errors, ...document.warnings]) {
    report(place(fault.pos[0]), sentence(fault.message));
  }
  if (document.errors.length > 0) return undefined;
  if (document.contents === null) {
    report(start, 'the file is empty');
    return;
  }
  const walk: Walk = {
    document,
    report,
    place: (node) => (node?.range ? place(node.range[0]) : start),
    values: 0,
    broken: false,
  };
  const value = convert(walk, document.contents, 0);
  return walk.broken ? undefined : value;
}

/** The parser calls itself for each level, so the depth is looked at before it runs. */
function tooMuch(text: string): string | undefined {
  if (Buffer.byteLength(text) > maxBytes) return 'the file is larger than 1 MiB';
  let flow = 0;
  let dashes = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') flow++;
    else if (token === ']' || token === '}') flow--;
    else if (token === '-' || token === '?') dashes++;
    else if (token.startsWith('\n')) dashes = 0;
    if (Math.max(flow, dashes) > maxDepth) return tooDeep;
  }
  return undefined;
}

const tooDeep = `the file is nested deeper than ${maxDepth} levels`;

const sentence = (message: string): string =>
  message.includes('call stack') ? tooDeep : message.charAt(0).toLowerCase() + message.slice(1);

function convert(walk: Walk, node: Node | null | undefined, depth: number): Value {
  const at = walk.place(node);
  if (isOverLimit(walk, at, depth)) return empty(at);
  if (isAlias(node)) return aliased(walk, node.resolve(walk.document), node, depth);
  if (isMap(node)) return mapping(walk, node as YAMLMap<Node>, depth);
  if (isSeq(node)) {
    const items: Value[] = [];
    for (const item of node.items) items.push(convert(walk, item as Node | null, depth + 1));
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

/** From the first breach on nothing is walked any more, so that it is told once. */
function isOverLimit(walk: Walk, at: Place, depth: number): boolean {
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

function fail(walk: Walk, at: Place, text: string): undefined {
  walk.broken = true;
  walk.report(at, text);
}

function aliased(walk: Walk, target: Node | undefined, alias: Node, depth: number): Value {
  if (target === undefined) fail(walk, walk.place(alias), 'the alias has no anchor before it');
  const value = convert(walk, target, depth + 1);
  return { ...value, at: walk.place(alias), anchored: false };
}

const empty = (at: Place): Scalar => ({
  kind: 'scalar',
  text: '',
  isNull: true,
  at,
  anchored: false,
});

const list = (items: readonly Value[], at: Place, anchor: boolean): List => ({
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
  for (const source of merges) merge(walk, entries, source);
  return { kind: 'mapping', entries, at: walk.place(node), anchored };
}

function readEntry(walk: Walk, pair: Pair<Node>, depth: number): Entry | undefined {
  const key = convert(walk, pair.key, depth + 1);
  if (key.kind !== 'scalar') {
    fail(walk, key.at, 'a key must be a text');
    return;
  }
  // An empty value has its place after the key, perhaps on the next line: the key's is clearer.
  const value = convert(walk, pair.value as Node | null, depth + 1);
  if (walk.values > maxValues) return undefined;
  const isEmpty = value.kind === 'scalar' && value.isNull && value.text === '';
  return { key: key.text, at: key.at, value: isEmpty ? { ...value, at: key.at } : value };
}

const isMerge = (pair: Pair<Node>): boolean =>
  isScalar(pair.key) && pair.key.type === 'PLAIN' && pair.key.source === '<<';

/** `<<`: keys that are there already stay; of several mappings the first one wins. */
function merge(walk: Walk, entries: Map<string, Entry>, source: Value): void {
  const sources = source.kind === 'list' ? source.items : [source];
  for (const one of sources) {
    if (one.kind !== 'mapping') {
      walk.report(one.at, '`<<` takes a mapping, an alias of one, or a list of these');
      continue;
    }
    for (const [key, entry] of one.entries) if (!entries.has(key)) entries.set(key, entry);
  }
}
