import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { countBuilds } from './count-builds.ts';
import { createFlakyFinder } from './find-flaky.ts';
import { buildOutcome, jobOutcome, type Outcome } from './outcome.ts';
import { makeStats, type StatsScope } from './make-stats.ts';
import type { Stats } from './stats-resource.ts';
import { createStepRecords, type StepPart } from './step-records.ts';

export interface StatsCollector {
  /** Takes finished builds newest first, with retried jobs. Nothing of one stays but a few numbers a job. */
  add(build: Build): void;
  readonly count: number;
  stats(scope: StatsScope): Stats;
}

/** Where the time of a job went, in seconds; null where it is not known. */
export interface JobSpan {
  readonly id: string;
  readonly waited: number | null;
  readonly ran: number | null;
  readonly on_critical_path: boolean;
}

/** Of all jobs of a build; `now` in milliseconds counts for what is not over. */
export type FindSpans = (jobs: readonly Job[], now: number) => readonly JobSpan[];

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

/** Neither a wait nor what waits for a person: how long people take says nothing of the pipeline. */
const isStep = ({ type }: Job): boolean => type !== 'waiter' && type !== 'manual';

/** The path of a build that was canceled ends where somebody lost interest. */
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

/** Where a service leaves the pipeline out. */
const slugIn = (url: string): string | null => /\/pipelines\/([^/?#]+)\//.exec(url)?.[1] ?? null;
