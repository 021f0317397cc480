import { bare } from './bare.ts';
import type { LogLine } from './log-line.ts';

/** So many of a chain are shown before other lines of its stacks. */
const mostOfChain = 5;

/**
 * Of exceptions of which one was raised because of another all are raised to the strongest of them,
 * before the frames of their stacks: which of them is the reason depends on who wraps what.
 */
export function raiseChains(lines: readonly LogLine[], values: number[]): void {
  const texts = lines.map(({ text }) => bare(text));
  for (const chain of [...chainsUp(texts), ...chainsDown(texts)]) {
    const most = chain.reduce((value, at) => Math.max(value, values[at] ?? 0), 0);
    if (most === 0) continue;
    for (const [place, at] of chain.slice(0, mostOfChain).entries())
      values[at] = Math.max(values[at] ?? 0, most - place);
  }
}

/** Python prints the root first, each exception below its stack: the first and the last one count most. */
function chainsUp(texts: readonly string[]): number[][] {
  const chains: number[][] = [];
  let isStack = false;
  let isLinked = false;
  for (const [at, text] of texts.entries()) {
    if (/^Traceback \(most recent call last\)/.test(text)) isStack = true;
    else if (/^(?:During handling of|The above exception was)\b/.test(text)) isLinked = true;
    else if (isStack && /^\S/.test(text)) {
      if (isLinked) chains.at(-1)?.push(at);
      else chains.push([at]);
      isStack = isLinked = false;
    }
  }
  return chains.filter(({ length }) => length > 1).map(lastSecond);
}

/** Java and what is made like it print the root last: it counts most, and then the head of all. */
function chainsDown(texts: readonly string[]): number[][] {
  const chains: number[][] = [];
  let chain: number[] = [];
  for (const [at, text] of texts.entries()) {
    if (/^\s*(?:at |\.{3} \d+ )/.test(text)) continue;
    if (!/^Caused by: /.test(text)) chain = [at];
    else if (chain.push(at) === 2) chains.push(chain);
  }
  return chains.map((found) => lastSecond([...found].reverse()));
}

/** Both ends come before what is between them. */
const lastSecond = ([first = 0, ...more]: readonly number[]): number[] => [
  first,
  ...more.slice(-1),
  ...more.slice(0, -1),
];
