import { durationOf } from '../api/resources/duration.ts';
import type { Build } from '../api/resources/build.ts';
import { executions, jobTitle, partOfParallel, type Job } from '../api/resources/job.ts';
import { createRunCounter, shareOf, buildOutcome, jobOutcome } from './count-runs.ts';
import type { Example, Stats } from './stats-resource.ts';

/** In seconds, or null if unknown. */
interface JobSpan {
  readonly id: string;
  readonly waited: number | null;
  readonly ran: number | null;
  readonly on_critical_path: boolean;
}

type FindSpans = (jobs: readonly Job[], now: number) => readonly JobSpan[];

export type StatsCollector = ReturnType<typeof collectStats>;

export function collectStats(findSpans: FindSpans) {
  const builds = countBuilds();
  const steps = createStepRecords();
  const passes = createCommitPasses();
  return {
    get count() {
      return builds.count;
    },
    /** Adds a finished build, including retried jobs. Builds must be added newest first. */
    add(build: Build): void {
      builds.add(build);
      const partOf = steps.partsOf(build);
      const spans = findSpans(build.jobs ?? [], Date.parse(build.finished_at ?? '') || 0);
      addJobs(build, partOf, new Map(spans.map((span) => [span.id, span])));
      findFlaky(build, partOf, passes);
    },
    stats: (scope: Pick<Stats, 'organization' | 'pipeline' | 'branches'>): Stats => ({
      ...scope,
      builds: builds.figures(),
      ...stepStats(steps.all()),
    }),
  };
}

function countBuilds() {
  const runs = createRunCounter();
  let [count, others] = [0, 0];
  let from: string | null = null;
  let to: string | null = null;
  return {
    get count() {
      return count;
    },
    add(build: Build): void {
      count += 1;
      const outcome = buildOutcome(build);
      if (outcome === undefined) others += 1;
      runs.add(outcome, { ran: ranOf(build), waited: waitedOf(build) });
      from = build.created_at ?? from;
      to ??= build.created_at ?? null;
    },
    figures: () => ({ ...runs.figures(), others, from, to }),
  };
}

/** A blocked build has no finish time, so the time of the last finished job is used. */
function ranOf({ started_at, finished_at, jobs }: Build): number | null {
  const last = (jobs ?? []).map((job) => job.finished_at ?? '').reduce(later, '');
  const end = finished_at ?? last;
  return end === '' ? null : durationOf({ started_at, finished_at: end }, 0);
}

const later = (one: string, other: string): string =>
  (Date.parse(other) || 0) > (Date.parse(one) || 0) ? other : one;

const waitedOf = ({ created_at, started_at }: Build): number | null =>
  (started_at ?? null) === null
    ? null
    : durationOf({ started_at: created_at, finished_at: started_at }, 0);

/** `part` identifies one of several jobs of a step, so that builds can be compared. */
interface StepPart {
  readonly step: StepRecord;
  readonly part: number;
}

type StepRecord = ReturnType<typeof createStepRecord>;

const createStepRecord = (pipeline: string | null, key: string | null, name: string) => ({
  ...{ pipeline, key },
  /** The name of the newest job. If matrix jobs have different names, the prefix that they share */
  name,
  runs: createRunCounter(),
  /** Total seconds on the critical paths of all builds */
  critical: 0,
  ...{ retried: 0, flaky: 0 },
  examples: [] as Example[],
});

function createStepRecords() {
  const steps = new Map<string, StepRecord>();
  const parts = new Map<string, number>();
  function partOf(pipelineId: string, slug: string | null, job: Job): StepPart {
    const { key, name, part } = stepOfJob(job);
    const id = JSON.stringify([pipelineId, key, key === null ? name : null]);
    const step = steps.get(id) ?? createStepRecord(slug, key, name);
    steps.set(id, step);
    if (part !== '') step.name = commonStart(step.name, name);
    const number = parts.get(id + part) ?? parts.size;
    parts.set(id + part, number);
    return { step, part: number };
  }
  return {
    all: () => [...steps.values()],
    /** Compares IDs, because pipelines of different organizations may have the same slug. */
    partsOf({ jobs, pipeline, url }: Build): Map<Job, StepPart> {
      // Some services omit the pipeline.
      const slug = pipeline?.slug ?? /\/pipelines\/([^/?#]+)\//.exec(url ?? '')?.[1] ?? null;
      const id = pipeline?.id ?? slug ?? '';
      return new Map((jobs ?? []).filter(isStep).map((job) => [job, partOf(id, slug, job)]));
    },
  };
}

/** Excludes manual steps, because approval times do not describe the pipeline. */
const isStep = ({ type }: Job): boolean => type !== 'waiter' && type !== 'manual';

function commonStart(one: string, other: string): string {
  if (one === other) return one;
  const [words, others] = [one.split(' '), other.split(' ')];
  const end = words.findIndex((word, index) => word !== others[index]);
  return (end === -1 ? words : words.slice(0, end)).join(' ');
}

/** `part` distinguishes the parallel jobs of a step. Empty if the step has only one job. */
export function stepOfJob(job: Job): { key: string | null; name: string; part: string } {
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

/** The name may contain the index, such as `Test 1/4`. */
function withoutPart(title: string, job: Job): string {
  const { parallel_group_index: index, parallel_group_total: total } = job;
  if (typeof index !== 'number' || partOfParallel(job) !== undefined) return title;
  const part = `${index + 1}/${total ?? 0}`;
  return ` ${title} `.replace(` ${part} `, ' ').trim() || title;
}

function addJobs(
  build: Build,
  partOf: ReadonlyMap<Job, StepPart>,
  spanOf: ReadonlyMap<string, JobSpan>,
): void {
  // The critical path of a canceled build is not meaningful.
  const counts = buildOutcome(build) !== undefined;
  for (const [job, { step }] of partOf) {
    const found = spanOf.get(job.id ?? '');
    const [ran, waited] = [found?.ran ?? null, found?.waited ?? null];
    step.runs.add(jobOutcome(job), { ran, waited });
    if (job.retried === true) step.retried += 1;
    if (found?.on_critical_path === true && counts) step.critical += (waited ?? 0) + (ran ?? 0);
  }
}

type CommitPasses = ReturnType<typeof createCommitPasses>;

function findFlaky(build: Build, partOf: ReadonlyMap<Job, StepPart>, passes: CommitPasses): void {
  const commit = build.commit ?? null;
  const passed: number[] = [];
  for (const { job, earlier } of executions([...partOf.keys()])) {
    const found = partOf.get(job);
    if (found === undefined) continue;
    const outcome = jobOutcome(job);
    if (outcome === 'passed') {
      passed.push(found.part);
      const failed = earlier.findLast((one) => jobOutcome(one) === 'failed');
      if (failed === undefined) continue;
      const attempts = { failed: attemptOf(build, failed), passed: attemptOf(build, job) };
      addFlaky(found.step, { by: 'retry', commit, ...attempts });
    } else if (outcome === 'failed') {
      const newer = passes.find(build, found.part);
      if (newer === undefined) continue;
      const attempts = { failed: attemptOf(build, job), passed: newer };
      addFlaky(found.step, { by: 'commit', commit, ...attempts });
    }
  }
  passes.add(build, passed);
}

function addFlaky(step: StepRecord, example: Example): void {
  step.flaky += 1;
  if (step.examples.length < 3) step.examples.push(example);
}

const attemptOf = (build: Build, job: Job) => ({
  number: build.number ?? 0,
  job_id: job.id ?? null,
  web_url: job.web_url ?? build.web_url ?? null,
});

/** Stores parts as numbers, so that a build takes only a few bytes per job. */
function createCommitPasses() {
  interface Passed {
    readonly attempt: Example['passed'];
    readonly parts: Uint32Array;
  }
  const commits = new Map<string, Passed[]>();
  return {
    find: (build: Build, part: number): Example['passed'] | undefined =>
      commits.get(commitOf(build) ?? '')?.findLast(({ parts }) => parts.includes(part))?.attempt,
    add(build: Build, parts: readonly number[]): void {
      const commit = commitOf(build);
      if (commit === undefined || parts.length === 0) return;
      const attempt = { number: build.number ?? 0, job_id: null, web_url: build.web_url ?? null };
      const passed = { attempt, parts: Uint32Array.from(parts) };
      commits.set(commit, [...(commits.get(commit) ?? []), passed]);
    },
  };
}

/** A build's commit. Undefined if the build has `HEAD` or a branch name instead of a commit. */
const commitOf = ({ commit }: Build): string | undefined =>
  /^[\da-f]{4,64}$/i.test(commit ?? '') ? (commit ?? undefined) : undefined;

function stepStats(records: readonly StepRecord[]): Pick<Stats, 'steps' | 'flaky'> {
  const path = records.reduce((sum, { critical }) => sum + critical, 0);
  const inOrder = records.toSorted(
    (one, other) => other.critical - one.critical || nameOf(one).localeCompare(nameOf(other), 'en'),
  );
  return {
    steps: inOrder.map((record) => ({
      ...identityOf(record),
      ...record.runs.figures(),
      critical_share: shareOf(record.critical, path),
      retried: record.retried,
      flaky: record.flaky,
    })),
    flaky: inOrder
      .filter(({ flaky }) => flaky > 0)
      .toSorted((one, other) => other.flaky - one.flaky)
      .map((record) => ({
        ...identityOf(record),
        count: record.flaky,
        examples: record.examples,
      })),
  };
}

const nameOf = ({ key, name }: StepRecord): string => (name === '' ? (key ?? '') : name);

const identityOf = (record: StepRecord) => ({
  pipeline: record.pipeline,
  step_key: record.key,
  name: nameOf(record),
});
