import type { Build } from '../api/resources/build.ts';
import { executions, type Execution, type Job } from '../api/resources/job.ts';
import { jobOutcome } from './outcome.ts';
import type { Example } from './stats-resource.ts';
import type { StepPart, StepRecord } from './step-records.ts';

/** Finds steps that failed and then passed without a change. */
interface FlakyFinder {
  /** Builds must come newest first. */
  add(build: Build, partOf: ReadonlyMap<Job, StepPart>): void;
}

/** Per step; more are only counted. */
const maxExamples = 3;

export function createFlakyFinder(): FlakyFinder {
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
