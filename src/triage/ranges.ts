/**
 * Names of jobs in a few words: `Test 1/50 … 50/50`, `unit, e2e linux`. Consecutive numbers become
 * a range, and names after `most` parts are only counted.
 */
export function inRanges(names: readonly string[], most: number): string {
  const groups = new Map<string, string[][]>();
  for (const name of new Set(names)) {
    const pieces = name.split(/(\d+)/);
    const shape = pieces.map((piece, at) => (at % 2 === 1 ? '#' : piece)).join('');
    const group = groups.get(shape) ?? [];
    groups.set(shape, group);
    group.push(pieces);
  }
  const parts = [...groups.values()].flatMap(partsOf);
  const left = parts.slice(most).reduce((sum, { count }) => sum + count, 0);
  const words = parts.slice(0, most).map(({ text }) => text);
  return words.join(', ') + (left > 0 ? ` and ${left} more` : '');
}

interface Part {
  readonly text: string;
  readonly count: number;
}

/** `names` have the same text, and each is split at its numbers. */
function partsOf(names: readonly (readonly string[])[]): Part[] {
  const [first = []] = names;
  const differing = [...first.keys()].filter((at) => names.some((name) => name[at] !== first[at]));
  const [at] = differing;
  if (at === undefined || differing.length > 1)
    return names.map((name) => ({ text: name.join(''), count: 1 }));
  const sorted = [...names].sort((a, b) => Number(a[at]) - Number(b[at]));
  return runsOf(sorted, at).map((run, index) => {
    // Only the first part repeats the text before the number.
    const start = (run[0] ?? []).slice(index === 0 ? 0 : at).join('');
    const end = run.length === 1 ? '' : ` … ${(run.at(-1) ?? []).slice(at).join('')}`;
    return { text: start + end, count: run.length };
  });
}

/** Splits names at gaps between their numbers. Two names are too few for a range. */
function runsOf(names: readonly (readonly string[])[], at: number): (readonly string[])[][] {
  const runs: (readonly string[])[][] = [];
  for (const name of names) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (before !== undefined && Number(name[at]) === Number(before[at]) + 1) run?.push(name);
    else runs.push([name]);
  }
  return runs.flatMap((run) => (run.length < 3 ? run.map((name) => [name]) : [run]));
}
