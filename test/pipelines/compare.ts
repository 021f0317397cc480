/** Converts a run of a case to two values that are equal if it went as expected. */
import { allBuilds, type BuildExpectation, type Expectation } from './case-file.ts';
import type { Outcome } from './outcome.ts';
import type { Ran } from './run-case.ts';

/** The actual values of what the case mentions. Texts are omitted unless they are wrong. */
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

/** The expected values. */
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

/** Parts that are missing or out of order, and parts with `!` that occur. */
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

/** Entries that are unexpected, missing or lack their text. */
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
