/** Pipelines in the style of real projects, each with the outcome of all its jobs. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createHome } from '../support/home.ts';
import { allBuilds, readCase, type BuildExpectation, type Expectation } from './case-file.ts';
import type { Outcome } from './outcome.ts';
import { runCase, type Ran } from './run-case.ts';
import { setUp } from './set-up.ts';

const folder = join(import.meta.dirname, '../fixtures/pipelines/corpus');
const names = readdirSync(folder).filter((name) => name.endsWith('.case'));

describe.concurrent('the outcome of', () => {
  test.each(names)('%s', async (name) => {
    const one = readCase(join(folder, name));
    const home = await createHome();
    try {
      const ran = await runCase(home, setUp(home, one), one);
      expect(seenOf(ran, one.expected), report(ran)).toEqual(wantedOf(one.expected));
    } finally {
      await home.remove();
    }
  });
});

/** What the case speaks of, as it came. Of texts, those that are not as they should be. */
function seenOf(ran: Ran, expected: Expectation) {
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

const wantedOf = (expected: Expectation) => ({
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

const wrongParts = (text: string, parts: readonly string[]): string[] =>
  parts.filter((part) =>
    part.startsWith('!') ? text.includes(part.slice(1)) : !text.includes(part),
  );

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

/** All that there is to be read, for who looks after a failure. */
const report = ({ stderr, outcomes }: Ran): string =>
  [
    stderr,
    ...[...outcomes].flatMap(([ref, { logs }]) =>
      Object.entries(logs).map(([job, log]) => `--- ${ref} ${job}\n${log}`),
    ),
  ].join('\n');
