import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { createFlakyFinder } from './find-flaky.ts';
import { buildOutcome, jobOutcome, type Outcome } from './outcome.ts';
import type { Stats, BuildFigures, FlakyStep, Step } from './stats-resource.ts';
import { createStepRecords, type StepPart, type StepRecord } from './step-records.ts';
import { durationOf } from '../api/resources/duration.ts';
import { createRunCounter, shareOf } from './count-runs.ts';

export interface StatsCollector {
  /** Takes finished builds newest first, with retried jobs. Keeps only a few numbers per job. */
  add(build: Build): void;
  readonly count: number;
  stats(scope: StatsScope): Stats;
}

/** In seconds; null if unknown. */
interface JobSpan {
  readonly id: string;
  readonly waited: number | null;
  readonly ran: number | null;
  readonly on_critical_path: boolean;
}

/** `now` is in milliseconds, for unfinished jobs. */
type FindSpans = (jobs: readonly Job[], now: number) => readonly JobSpan[];

export function collectStats(findSpans: FindSpans): StatsCollector {
  const builds = countBuilds();
  const steps = createStepRecords();
  const flaky = createFlakyFinder();
  return {
    get count() {
      return builds.count;
    },
    add(build) {
      builds.add(build);
      const partOf = partsOf(build);
      const spans = findSpans(build.jobs ?? [], Date.parse(build.finished_at ?? '') || 0);
      addJobs(partOf, spans, buildOutcome(build));
      flaky.add(build, partOf);
    },
    stats: (scope) => makeStats(scope, builds.figures(), [...steps.all]),
  };

  function partsOf({ jobs, pipeline, url }: Build): Map<Job, StepPart> {
    const slug = pipeline?.slug ?? slugIn(url ?? '');
    const of = { id: pipeline?.id ?? slug ?? '', slug };
    return new Map((jobs ?? []).filter(isStep).map((job) => [job, steps.of(of, job)]));
  }
}

/**
 * Excludes waits and manual steps, since the time that people take says nothing about the pipeline.
 */
const isStep = ({ type }: Job): boolean => type !== 'waiter' && type !== 'manual';

/** Canceled builds do not count for the critical path. */
function addJobs(
  partOf: ReadonlyMap<Job, StepPart>,
  spans: readonly JobSpan[],
  outcome: Outcome,
): void {
  const spanOf = new Map(spans.map((span) => [span.id, span]));
  for (const [job, { step }] of partOf) {
    const found = spanOf.get(job.id ?? '');
    const [ran, waited] = [found?.ran ?? null, found?.waited ?? null];
    step.runs.add(jobOutcome(job), { ran, waited });
    if (job.retried === true) step.retried += 1;
    if (found?.on_critical_path === true && outcome !== undefined)
      step.critical += (waited ?? 0) + (ran ?? 0);
  }
}

/** Some services omit the pipeline. */
const slugIn = (url: string): string | null => /\/pipelines\/([^/?#]+)\//.exec(url)?.[1] ?? null;

interface BuildCounter {
  readonly count: number;
  add(build: Build): void;
  figures(): BuildFigures;
}

function countBuilds(): BuildCounter {
  const runs = createRunCounter();
  let [count, others] = [0, 0];
  let from: string | null = null;
  let to: string | null = null;
  return {
    get count() {
      return count;
    },
    add(build) {
      count += 1;
      const outcome = buildOutcome(build);
      if (outcome === undefined) others += 1;
      runs.add(outcome, { ran: ranOf(build), waited: waitedOf(build) });
      // Builds come newest first.
      from = build.created_at ?? from;
      to ??= build.created_at ?? null;
    },
    figures: () => ({ ...runs.figures(), others, from, to }),
  };
}

/** A blocked build has no end; it ran until its last job finished. */
function ranOf({ started_at, finished_at, jobs }: Build): number | null {
  const last = (jobs ?? []).map((job) => job.finished_at ?? '').reduce(later, '');
  const end = finished_at ?? last;
  return end === '' ? null : durationOf({ started_at, finished_at: end }, 0);
}

/** From creation to the start of the first job. */
const waitedOf = ({ created_at, started_at }: Build): number | null =>
  (started_at ?? null) === null
    ? null
    : durationOf({ started_at: created_at, finished_at: started_at }, 0);

const later = (one: string, other: string): string =>
  (Date.parse(other) || 0) > (Date.parse(one) || 0) ? other : one;

type StatsScope = Pick<Stats, 'organization' | 'pipeline' | 'branches'>;

/** Steps that contribute most to the critical path come first. */
function makeStats(scope: StatsScope, builds: BuildFigures, records: readonly StepRecord[]): Stats {
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

/** The names of matrix jobs may have nothing in common. */
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
