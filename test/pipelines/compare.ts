/** A run of a case in two forms that are alike where it went as expected. */
import { allBuilds, type BuildExpectation, type Expectation } from './case-file.ts';
import type { Outcome } from './outcome.ts';
import type { Ran } from './run-case.ts';

/** What the case speaks of, as it came. Of texts, those that are not as they should be. */
export function seenOf(ran: Ran, expected: Expectation) {
  return {
    exit: ran.exit,
    watched: ran.watched,
    stderr: wrongParts(ran.stderr, expected.stderr ?? []),
    builds: Object.entries(allBuilds(expected)).map(([ref, one]) => {
      const outcome = ran.outcomes.get(ref);
      return {
        ...{ build: outcome?.build, jobs: outcome?.jobs },
        ...(one.order && { order: outcome?.order }),
        wrong: outcome === undefined ? ['no build'] : wrongTexts(outcome, one),
      };
    }),
  };
}

/** The same as it should be. */
export const wantedOf = (expected: Expectation) => ({
  exit: expected.exit,
  watched: (expected.then ?? []).map(({ exit }) => exit),
  stderr: [],
  builds: Object.values(allBuilds(expected)).map(({ build, jobs, order }) => ({
    ...{ build, jobs },
    ...(order && { order }),
    wrong: [],
  })),
});

const wrongTexts = (outcome: Outcome, one: BuildExpectation): string[] => [
  ...Object.entries(one.logs ?? {}).flatMap(([job, parts]) =>
    wrongParts(outcome.logs[job] ?? '(no log)', parts).map((part) => `log of ${job}: ${part}`),
  ),
  ...wrongEntries('artifact', outcome.artifacts, one.artifacts),
  ...wrongEntries('annotation', outcome.annotations, one.annotations),
  ...Object.entries(one.meta_data ?? {}).flatMap(([key, value]) =>
    outcome.meta_data[key] === value ? [] : [`meta-data ${key}: ${outcome.meta_data[key] ?? ''}`],
  ),
];

/** Those that do not come in their order; with `!` in front those that come at all. */
function wrongParts(text: string, parts: readonly string[]): string[] {
  let from = 0;
  return parts.filter((part) => {
    if (part.startsWith('!')) return text.includes(part.slice(1));
    const index = text.indexOf(part, from);
    if (index < 0) return true;
    from = index + part.length;
    return false;
  });
}

/** Those that are too many, missing or lack their text. */
function wrongEntries(
  kind: string,
  seen: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>> = {},
): string[] {
  const keys = new Set([...Object.keys(seen), ...Object.keys(wanted)]);
  return [...keys].flatMap((key) => {
    const [text, part] = [seen[key], wanted[key]];
    if (text !== undefined && part !== undefined && text.includes(part)) return [];
    return [`${kind} ${key}: ${text ?? 'missing'}`];
  });
}
