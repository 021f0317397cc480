import {
  Composer,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  YAMLParseError,
  type Alias,
  type CST,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import { maxProblems } from './reading.ts';
import type { SourcePosition, Report, Value, Entry, Mapping } from './value.ts';
import { maxPipelineBytes } from './pipeline-bytes.ts';

/**
 * Reads one YAML 1.2 document (JSON is also YAML). Reports all problems. Returns undefined if
 * nothing could be read.
 *
 * Walks the library's syntax tree, not its plain objects. This keeps the source text of scalars and
 * both positions of duplicate keys. Aliases are measured before they are expanded.
 */
export function parseDocument(source: string, report: Report): Value | undefined {
  // The library does not accept a byte order mark before a list.
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
    const before = text.slice(0, control).split('\n');
    const column = (before.at(-1) ?? '').length + 1;
    report({ line: before.length, column }, 'the file contains a control character');
    return;
  }
  const document = parseYaml(text.replace(lonelyReturns, '\n'), lines);
  const errors = (document === undefined ? [] : errorsOf(document)).filter(
    (error) => !isOfEmptyRest(error, text),
  );
  for (const { message, pos } of errors.slice(0, maxProblems + 1))
    report(positionOf(pos[0]), sentence(message));
  if (errors.length > 0) return undefined;
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

/** The public parser does not accept control characters either, even in quotes. */
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;
const lonelyReturns = /\r(?!\n)/g;

type ReadError = Pick<YAMLParseError, 'message' | 'pos'>;

/** A `---` at the end of the file does not start a second document. */
const isOfEmptyRest = ({ message, pos }: ReadError, text: string): boolean =>
  message.includes('multiple documents') && /^---(?:\s+|#[^\n]*)*$/.test(text.slice(pos[0]));

/** After a stack overflow, the library also reports false errors, which are dropped. */
function errorsOf({ errors }: Document): readonly ReadError[] {
  const exhausted = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  return exhausted === undefined ? errors : [{ message: tooDeep, pos: exhausted.pos }];
}

function sentence(message: string): string {
  if (message.includes('multiple documents')) return 'the file has more than one document';
  return message.charAt(0).toLowerCase() + message.slice(1);
}

/**
 * Returns the first document; a second one is reported as an error. Unlike the library's function,
 * it stays fast even if every character of the file causes an error.
 */
function parseYaml(text: string, lines: LineCounter): Document.Parsed | undefined {
  const limit = Error.stackTraceLimit;
  // Recording a stack trace for each error would take most of the time.
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

/**
 * Finds the targets of all aliases in one walk, because the library walks the document once per
 * alias. An alias refers to the nearest preceding anchor of the same name.
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
    } else if (isScalar(node) && node.anchor !== undefined) {
      anchors.set(node.anchor, node);
    }
  }
  return targets;
}

interface Walk {
  readonly targets: ReadonlyMap<Alias, Node>;
  readonly report: Report;
  /** Position of a node or, if `before` is set, of that text before the node (such as a tag). */
  readonly positionOf: (node: unknown, before?: string) => SourcePosition;
  /** Set if part of the file could not be parsed. The entire file is then rejected. */
  broken: boolean;
}

function convertNode(walk: Walk, node: Node | null | undefined): Value {
  const at = walk.positionOf(node);
  if (isAlias(node)) return aliased(walk, node);
  if (isMap(node)) return mapping(walk, node as YAMLMap<Node>);
  if (isSeq(node)) {
    const items = node.items.map((item) => convertNode(walk, item as Node | null));
    const anchored = node.anchor !== undefined || items.some((item) => item.anchored);
    return { kind: 'list', items, at, anchored };
  }
  // YAML treats the `!` of `!main` as a tag and would silently drop the negation.
  if (isScalar(node) && node.tag?.startsWith('!') === true) {
    const problem = `\`${node.tag}\` is a YAML tag, not part of the value; put the value in quotes`;
    fail(walk, walk.positionOf(node, node.tag), problem);
  }
  if (!isScalar(node)) return { kind: 'scalar', text: '', isNull: true, at, anchored: false };
  return {
    kind: 'scalar',
    text: node.source ?? String(node.value),
    isNull: node.value === null,
    isPlain: node.type === 'PLAIN',
    at,
    anchored: node.anchor !== undefined,
  };
}

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

/** A mapping's own keys take precedence over merged keys. Keys stay in order of appearance. */
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
    const { key, at } = entry;
    const line = own.get(key)?.at.line;
    if (line !== undefined) walk.report(at, `duplicate key \`${key}\`, first used on line ${line}`);
    own.set(key, entry);
    entries.set(key, entry);
  }
  return { kind: 'mapping', entries, at: walk.positionOf(node), anchored };
}

function readEntry(walk: Walk, pair: Pair<Node>): Entry | undefined {
  const key = convertNode(walk, pair.key);
  if (key.kind !== 'scalar' || key.isNull) {
    fail(walk, key.at, 'a key must be a string');
    return;
  }
  // The library may put an empty value on the next line, so the key's position is used instead.
  const value = convertNode(walk, pair.value as Node | null);
  const isEmpty = value.kind === 'scalar' && value.isNull && value.text === '';
  return { key: key.text, at: key.at, value: isEmpty ? { ...value, at: key.at } : value };
}

const isMerge = (pair: Pair<Node>): boolean =>
  isScalar(pair.key) && pair.key.type === 'PLAIN' && pair.key.source === '<<';

/** Merges `<<`. Existing keys are kept, so the first of several mappings takes precedence. */
function mergeInto(entries: Map<string, Entry>, source: Value, report: Report): void {
  if (source.kind === 'list') {
    for (const one of source.items) mergeInto(entries, one, report);
  } else if (source.kind === 'scalar') {
    report(source.at, '`<<` requires a mapping, an alias of a mapping, or a list of mappings');
  } else {
    for (const [key, entry] of source.entries) if (!entries.has(key)) entries.set(key, entry);
  }
}

interface Breach {
  readonly node: unknown;
  readonly reason: string;
}

interface Size {
  /** Number of keys and values, including those that aliases repeat. */
  readonly values: number;
  readonly depth: number;
}

interface Measuring {
  readonly targets: ReadonlyMap<Alias, Node>;
  /** Each node is measured only once, so nested aliases are cheap. */
  readonly sizes: Map<unknown, Size>;
  /** The ancestors of the current node. An alias to an ancestor would cause an endless loop. */
  readonly around: Set<unknown>;
  breach: Breach | undefined;
}

/** Returns the first node that exceeds a limit after its aliases are expanded. */
export function findBreach(root: Node, targets: ReadonlyMap<Alias, Node>): Breach | undefined {
  const measuring: Measuring = { targets, sizes: new Map(), around: new Set(), breach: undefined };
  measure(measuring, root, 0);
  return measuring.breach;
}

function measure(measuring: Measuring, node: unknown, level: number): Size {
  const size = measuring.sizes.get(node) ?? measureNode(measuring, node, level);
  if (level + size.depth > maxDepth) measuring.breach ??= { node, reason: tooDeep };
  if (size.values > maxValues) measuring.breach ??= { node, reason: tooMany };
  return size;
}

function measureNode(measuring: Measuring, node: unknown, level: number): Size {
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

/** Enough for 10,000 steps with 24 key-value pairs each. */
const maxValues = 500_000;
const maxDepth = 64;

const tooDeep = `the file is nested deeper than ${maxDepth} levels`;
const tooMany = `the file has more than ${maxValues} values after its aliases are expanded`;

/**
 * Returns why a file must not be parsed. The parser is recursive, so the depth of brackets and
 * dashes is checked first. If indentation is too deep, the parser itself reports it.
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
