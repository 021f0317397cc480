import { shareOf } from './spread.ts';
import type { BuildFigures, FlakyStep, Stats, Step } from './stats-resource.ts';
import type { StepRecord } from './step-records.ts';

/** What the numbers are of. */
export type StatsScope = Pick<Stats, 'organization' | 'pipeline' | 'branches'>;

/** Steps come with those first that take most of the way to the end of a build. */
export function makeStats(
  scope: StatsScope,
  builds: BuildFigures,
  records: readonly StepRecord[],
): Stats {
  const path = records.reduce((sum, { critical }) => sum + critical, 0);
  const inOrder = records.toSorted(
    (one, other) => other.critical - one.critical || nameOf(one).localeCompare(nameOf(other), 'en'),
  );
  return {
    ...scope,
    builds,
    steps: inOrder.map((record) => stepOf(record, path)),
    flaky: inOrder
      .filter(({ flaky }) => flaky > 0)
      .toSorted((one, other) => other.flaky - one.flaky)
      .map(flakyOf),
  };
}

/** Names of a matrix may have nothing in common. */
const nameOf = ({ key, name }: StepRecord): string => (name === '' ? (key ?? '') : name);

const identityOf = (record: StepRecord) => ({
  pipeline: record.pipeline,
  step_key: record.key,
  name: nameOf(record),
});

const stepOf = (record: StepRecord, path: number): Step => ({
  ...identityOf(record),
  ...record.runs.figures(),
  critical_share: shareOf(record.critical, path),
  retried: record.retried,
  flaky: record.flaky,
});

const flakyOf = (record: StepRecord): FlakyStep => ({
  ...identityOf(record),
  count: record.flaky,
  examples: record.examples,
});
