import type { Build } from '../api/resources/build.ts';
import {
  type Job,
  jobTitle,
  partOfParallel,
  executions,
  type Execution,
} from '../api/resources/job.ts';
import { buildOutcome, jobOutcome, type Outcome } from './outcome.ts';
import type { Stats, BuildFigures, FlakyStep, Step, Example } from './stats-resource.ts';
import { durationOf } from '../api/resources/duration.ts';
import { createRunCounter, shareOf, type RunCounter } from './count-runs.ts';

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

interface StepRecord {
  readonly pipeline: string | null;
  readonly key: string | null;
  /** Of the newest job. For matrix jobs with different names, the common start. */
  name: string;
  readonly runs: RunCounter;
  /** Seconds on the critical path of all builds */
  critical: number;
  retried: number;
  flaky: number;
  /** The newest ones */
  readonly examples: Example[];
}

/** `part` identifies one of several jobs of a step, for comparison between builds. */
interface StepPart {
  readonly step: StepRecord;
  readonly part: number;
}

interface StepRecords {
  /** `id` distinguishes pipelines with the same slug in different organizations. */
  of(pipeline: { readonly id: string; readonly slug: string | null }, job: Job): StepPart;
  readonly all: Iterable<StepRecord>;
}

function createStepRecords(): StepRecords {
  const steps = new Map<string, StepRecord>();
  const parts = new Map<string, number>();
  return {
    all: { [Symbol.iterator]: () => steps.values() },
    of(pipeline, job) {
      const { key, name, part } = stepOfJob(job);
      const id = JSON.stringify([pipeline.id, key, key === null ? name : null]);
      const step = steps.get(id) ?? newRecord(pipeline.slug, key, name);
      steps.set(id, step);
      if (part !== '') step.name = commonStart(step.name, name);
      const partId = id + part;
      const number = parts.get(partId) ?? parts.size;
      parts.set(partId, number);
      return { step, part: number };
    },
  };
}

const newRecord = (pipeline: string | null, key: string | null, name: string): StepRecord => ({
  ...{ pipeline, key, name, runs: createRunCounter() },
  ...{ critical: 0, retried: 0, flaky: 0, examples: [] },
});

/** Compares whole words. */
function commonStart(one: string, other: string): string {
  if (one === other) return one;
  const [words, others] = [one.split(' '), other.split(' ')];
  const end = words.findIndex((word, index) => word !== others[index]);
  return (end === -1 ? words : words.slice(0, end)).join(' ');
}

interface StepOfJob {
  readonly key: string | null;
  /** Without `1/4` */
  readonly name: string;
  /** Distinguishes parallel jobs of a step; empty if there is only one job */
  readonly part: string;
}

export function stepOfJob(job: Job): StepOfJob {
  const title = jobTitle(job) ?? 'job';
  const index = job.parallel_group_index ?? null;
  const matrix = job.matrix ?? null;
  const isOne = index === null && matrix === null;
  return {
    key: job.step_key || null,
    name: withoutPart(title, job),
    part: isOne ? '' : JSON.stringify([index, matrix]),
  };
}

/** A name may contain the index: `Test 1/4`. */
function withoutPart(title: string, job: Job): string {
  const { parallel_group_index: index, parallel_group_total: total } = job;
  if (typeof index !== 'number' || partOfParallel(job) !== undefined) return title;
  const part = `${index + 1}/${total ?? 0}`;
  return ` ${title} `.replace(` ${part} `, ' ').trim() || title;
}

/** Finds steps that failed and then passed without a change. */
interface FlakyFinder {
  /** Builds must come newest first. */
  add(build: Build, partOf: ReadonlyMap<Job, StepPart>): void;
}

/** Per step; more are only counted. */
const maxExamples = 3;

function createFlakyFinder(): FlakyFinder {
  const passes = createCommitPasses();
  return {
    add(build, partOf) {
      const passed: number[] = [];
      for (const execution of executions([...partOf.keys()])) {
        const found = partOf.get(execution.job);
        if (found === undefined) continue;
        const outcome = jobOutcome(execution.job);
        if (outcome === 'passed') passed.push(found.part);
        const newer = outcome === 'failed' ? passes.find(build, found.part) : undefined;
        addFound(found.step, byRetry(build, execution) ?? byCommit(build, execution.job, newer));
      }
      passes.add(build, passed);
    },
  };
}

function addFound(step: StepRecord, example: Example | undefined): void {
  if (example === undefined) return;
  step.flaky += 1;
  if (step.examples.length < maxExamples) step.examples.push(example);
}

function byRetry(build: Build, { job, earlier }: Execution): Example | undefined {
  const failed = earlier.findLast((one) => jobOutcome(one) === 'failed');
  if (failed === undefined || jobOutcome(job) !== 'passed') return undefined;
  return {
    by: 'retry',
    commit: build.commit ?? null,
    failed: attemptOf(build, failed),
    passed: attemptOf(build, job),
  };
}

function byCommit(build: Build, job: Job, newer: PassedBuild | undefined): Example | undefined {
  if (newer === undefined) return undefined;
  const { number, web_url } = newer;
  return {
    by: 'commit',
    commit: build.commit ?? null,
    failed: attemptOf(build, job),
    passed: { number, job_id: null, web_url },
  };
}

const attemptOf = (build: Build, job: Job) => ({
  number: build.number ?? 0,
  job_id: job.id ?? null,
  web_url: job.web_url ?? build.web_url ?? null,
});

interface PassedBuild {
  readonly number: number;
  readonly web_url: string | null;
}

/** Remembers which parts passed at which commit; builds come newest first. */
interface CommitPasses {
  /** The next newer build of the same commit in which the part passed. */
  find(build: Build, part: number): PassedBuild | undefined;
  add(build: Build, parts: readonly number[]): void;
}

/** Parts are numbers, so a build takes only a few bytes per job. */
function createCommitPasses(): CommitPasses {
  const commits = new Map<string, (PassedBuild & { readonly parts: Uint32Array })[]>();
  return {
    find(build, part) {
      const commit = commitOf(build);
      if (commit === undefined) return undefined;
      return commits.get(commit)?.findLast(({ parts }) => parts.includes(part));
    },
    add(build, parts) {
      const commit = commitOf(build);
      if (commit === undefined || parts.length === 0) return;
      const passed = {
        number: build.number ?? 0,
        web_url: build.web_url ?? null,
        parts: Uint32Array.from(parts),
      };
      commits.set(commit, [...(commits.get(commit) ?? []), passed]);
    },
  };
}

/**
 * Each part belongs to one pipeline, so the commit is sufficient as a key. `HEAD` and branches
 * change; git accepts SHAs of at least four digits.
 */
const commitOf = ({ commit }: Build): string | undefined =>
  /^[\da-f]{4,64}$/i.test(commit ?? '') ? (commit ?? undefined) : undefined;
