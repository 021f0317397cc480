/** Whether a document is too deep or too much once its aliases are followed. */
import { isAlias, isMap, isPair, isSeq, type Alias, type Node, Lexer } from 'yaml';
import { maxPipelineBytes } from './pipeline-bytes.ts';

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

export const tooDeep = `the file is nested deeper than ${maxDepth} levels`;
const tooMany = `the file has more than ${maxValues} values once its aliases are followed`;

/**
 * Why a text is not even given to the parser: that one calls itself for each level, so the depth
 * is looked at before it runs. Indentation is left to it: where the stack is too small for that, it
 * says so.
 */
export function tooMuch(text: string): string | undefined {
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
