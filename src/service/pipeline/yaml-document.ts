/**
 * YAML 1.2 and JSON -> values with their places. Only this folder knows the library.
 *
 * Its tree is walked here and not turned into plain objects, because scalars keep their source
 * text, duplicate keys are reported with both positions, and aliases are counted before they multiply.
 */
import {
  isNode,
  LineCounter,
  type Document,
  Composer,
  Parser,
  YAMLParseError,
  type CST,
  isAlias,
  isMap,
  isPair,
  isSeq,
  type Alias,
  type Node,
  isScalar,
  type Pair,
  type Scalar as LibraryScalar,
  type YAMLMap,
  Lexer,
} from 'yaml';
import { maxProblems } from './reading.ts';
import type { SourcePosition, Report, Value, Entry, List, Mapping, Scalar } from './value.ts';
import { maxPipelineBytes } from './pipeline-bytes.ts';

/**
 * Reads one YAML 1.2 document (JSON is one too). Everything wrong with its form goes to `report`;
 * undefined when nothing could be read.
 */
export function parseDocument(source: string, report: Report): Value | undefined {
  // The library takes a list behind a byte order mark for none.
  const text = source.startsWith('\ufeff') ? source.slice(1) : source;
  const start: SourcePosition = { line: 1, column: 1 };
  const refused = tooMuch(text);
  if (refused !== undefined) {
    report(start, refused);
    return;
  }
  const lines = new LineCounter();
  const positionOf = (offset: number): SourcePosition => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const control = text.search(controls);
  if (control !== -1) {
    report(lineAndColumn(text, control), 'the file has a control character');
    return;
  }
  const document = parseYaml(text.replace(lonelyReturns, '\n'), lines);
  const errors = document === undefined ? [] : complaintsOf(document);
  const complaints = errors.filter((one) => !isOfEmptyRest(one, text));
  for (const { message, pos } of complaints.slice(0, maxProblems + 1))
    report(positionOf(pos[0]), sentence(message));
  if (complaints.length > 0) return undefined;
  if (document === undefined || document.contents === null) {
    report(start, 'the file is empty');
    return;
  }
  const targets = findTargets(document);
  const positionOfNode = (node: unknown, before = ''): SourcePosition => {
    if (!isNode(node) || !node.range) return start;
    const [offset] = node.range;
    return positionOf(before === '' ? offset : text.lastIndexOf(before, offset));
  };
  const breach = findBreach(document.contents, targets);
  if (breach !== undefined) {
    report(positionOfNode(breach.node), breach.reason);
    return;
  }
  const walk: Walk = { targets, report, positionOf: positionOfNode, broken: false };
  const value = convertNode(walk, document.contents);
  return walk.broken ? undefined : value;
}

/** Not taken by the public parser either, also within quotes. */
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;
const lonelyReturns = /\r(?!\n)/g;

function lineAndColumn(text: string, offset: number): SourcePosition {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** A file may end with `---`. */
const isOfEmptyRest = ({ message, pos }: Complaint, text: string): boolean =>
  message.includes('multiple documents') && /^---(?:\s+|#[^\n]*)*$/.test(text.slice(pos[0]));

interface Complaint {
  readonly message: string;
  readonly pos: readonly [number, number];
}

/** After a stack that was too small, what the library says of the rest of the file is not true. */
function complaintsOf({ errors }: Document): readonly Complaint[] {
  const exhausted = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (exhausted === undefined) return errors;
  return [{ message: tooDeep, pos: exhausted.pos }];
}

function sentence(message: string): string {
  if (message.includes('multiple documents')) return 'the file has more than one document';
  return message.charAt(0).toLowerCase() + message.slice(1);
}

/**
 * The first document of a text, and with its errors that there is another; undefined only where the
 * library gives none. Like the library's own function, but a file that is wrong in each of its
 * characters costs no more than others.
 */
function parseYaml(text: string, lines: LineCounter): Document.Parsed | undefined {
  const limit = Error.stackTraceLimit;
  // Each error of the library notes where it was made: that takes longer than all of the reading.
  Error.stackTraceLimit = 0;
  try {
    return firstDocument(text, lines);
  } finally {
    Error.stackTraceLimit = limit;
  }
}

function firstDocument(text: string, lines: LineCounter): Document.Parsed | undefined {
  const composer = new Composer({ version: '1.2', uniqueKeys: false });
  const tokens = untilTooManyErrors(new Parser(lines.addNewLine).parse(text));
  let first: Document.Parsed | undefined;
  for (const document of composer.compose(tokens, true, text.length)) {
    if (first !== undefined) {
      const [from, to] = document.range;
      first.errors.push(new YAMLParseError([from, to], 'MULTIPLE_DOCS', 'multiple documents'));
      break;
    }
    first = document;
  }
  return first;
}

function* untilTooManyErrors(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  let errors = 0;
  for (const token of tokens) {
    yield token;
    if (token.type === 'error' && ++errors > maxProblems) return;
  }
}

// What the aliases of a document stand for.

/**
 * The target of each alias, found in one walk in the order of the file: an anchor that is given
 * again counts from there on. The library's own way walks the document anew for each alias.
 */
export function findTargets(document: Document): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const open: unknown[] = [document.contents];
  while (open.length > 0) {
    const node = open.pop();
    if (isPair(node)) {
      open.push(node.value, node.key);
    } else if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target !== undefined) targets.set(node, target);
    } else if (isMap(node) || isSeq(node)) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
      for (let index = node.items.length - 1; index >= 0; index--) open.push(node.items[index]);
    } else if (hasAnchor(node)) {
      anchors.set(node.anchor, node);
    }
  }
  return targets;
}

const hasAnchor = (node: unknown): node is Node & { anchor: string } =>
  typeof node === 'object' && node !== null && 'anchor' in node && typeof node.anchor === 'string';

// The library's tree -> values with their places.

interface Walk {
  readonly targets: ReadonlyMap<Alias, Node>;
  readonly report: Report;
  /** The place of a node, or of what stands right before it. */
  readonly positionOf: (node: unknown, before?: string) => SourcePosition;
  /** Part of the file could not be read, so that what it means cannot be judged. */
  broken: boolean;
}

/** One value with all that is in it. What cannot be read is reported, and empty. */
function convertNode(walk: Walk, node: Node | null | undefined): Value {
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

/** `<<`: keys that are there already stay; of several mappings, also in lists, the first one wins. */
function mergeInto(entries: Map<string, Entry>, source: Value, report: Report): void {
  if (source.kind === 'list') {
    for (const one of source.items) mergeInto(entries, one, report);
  } else if (source.kind === 'scalar') {
    report(source.at, '`<<` takes a mapping, an alias of one, or a list of these');
  } else {
    for (const [key, entry] of source.entries) if (!entries.has(key)) entries.set(key, entry);
  }
}

// Whether a document is too deep or too much once its aliases are followed.

interface Breach {
  readonly node: unknown;
  readonly reason: string;
}

interface Size {
  /** Keys and values, those of aliases counted at each use. */
  readonly values: number;
  /** Levels below the node. */
  readonly depth: number;
}

interface Measuring {
  readonly targets: ReadonlyMap<Alias, Node>;
  /** Each node is measured once, so that aliases of aliases cost no more than to write them. */
  readonly sizes: Map<unknown, Size>;
  /** The nodes around the one at hand: an alias of one of them has no end. */
  readonly around: Set<unknown>;
  breach: Breach | undefined;
}

/** The first breach of the limits; undefined where there is none. */
export function findBreach(root: Node, targets: ReadonlyMap<Alias, Node>): Breach | undefined {
  const measuring: Measuring = {
    ...{ targets, sizes: new Map<unknown, Size>(), around: new Set<unknown>() },
    breach: undefined,
  };
  measure(measuring, root, 0);
  return measuring.breach;
}

function measure(measuring: Measuring, node: unknown, level: number): Size {
  const size = measuring.sizes.get(node) ?? measureAnew(measuring, node, level);
  if (level + size.depth > maxDepth) measuring.breach ??= { node, reason: tooDeep };
  if (size.values > maxValues) measuring.breach ??= { node, reason: tooMany };
  return size;
}

function measureAnew(measuring: Measuring, node: unknown, level: number): Size {
  const { around, sizes } = measuring;
  if (level > maxDepth || around.has(node)) return { values: 1, depth: Infinity };
  around.add(node);
  let [values, depth] = [1, 0];
  for (const child of childrenOf(node, measuring.targets)) {
    const size = measure(measuring, child, level + 1);
    values += size.values;
    depth = Math.max(depth, size.depth + 1);
    if (measuring.breach !== undefined) break;
  }
  around.delete(node);
  sizes.set(node, { values, depth });
  return { values, depth };
}

function childrenOf(node: unknown, targets: ReadonlyMap<Alias, Node>): readonly unknown[] {
  if (isAlias(node)) return [targets.get(node)];
  if (isSeq(node)) return node.items;
  return isMap(node)
    ? node.items.flatMap((pair) => (isPair(pair) ? [pair.key, pair.value] : []))
    : [];
}

/** Keys and values, every use of an alias counted anew: 10,000 steps of 50. */
const maxValues = 500_000;
const maxDepth = 64;

const tooDeep = `the file is nested deeper than ${maxDepth} levels`;
const tooMany = `the file has more than ${maxValues} values once its aliases are followed`;

/**
 * Why a text is not even given to the parser: that one calls itself for each level, so the depth
 * is looked at before it runs. Indentation is left to it: where the stack is too small for that, it
 * says so.
 */
function tooMuch(text: string): string | undefined {
  if (Buffer.byteLength(text) > maxPipelineBytes) return 'the file is larger than 4 MiB';
  let flow = 0;
  let dashes = 0;
  let scalars = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') flow++;
    else if (token === ']' || token === '}') flow--;
    else if (token === '-' || token === '?') dashes++;
    else if (token.startsWith('\n')) dashes = 0;
    else if (token === '\x1f' || /^["'*]/.test(token)) scalars++;
    if (Math.max(flow, dashes) > maxDepth) return tooDeep;
    if (scalars > maxValues) return tooMany;
  }
  return undefined;
}
