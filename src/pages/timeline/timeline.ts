import { executions, type Job } from '../../api/resources/job.ts';
import { causesOf, criticalPath } from './critical-path.ts';
import { timesOf, type JobTimes } from './job-times.ts';

/** Times in milliseconds since the epoch, spans in seconds; null where there is none. */
export interface TimelineJob {
  readonly id: string;
  /** Between `waited_from` and the start; without a start until it was over, or until now. */
  readonly waited: number | null;
  /** From the start to the end, or until now. */
  readonly ran: number | null;
  /** When all that it depends on was there; null where that was never so. */
  readonly waited_from: number | null;
  readonly started: number | null;
  /** Null while it is not over. Of a step that waits for a person: when it was unblocked. */
  readonly finished: number | null;
  /** Had it taken less time, so had the build. */
  readonly on_critical_path: boolean;
  /** Id of the job for which it waited last: of a dependency, of what a retry replaces, of what uploaded it. */
  readonly after: string | null;
}

/** One line of a waterfall: a job with the executions that a retry has replaced, the oldest first. */
export interface TimelineRow {
  /** The newest execution. */
  readonly id: string;
  readonly jobs: readonly TimelineJob[];
}

export interface Timeline {
  /** When the first job began to wait, and when the last was over (or now); null where nothing has begun. */
  readonly from: number | null;
  readonly to: number | null;
  /** In the order given, without waits. */
  readonly jobs: readonly TimelineJob[];
  /** In the order of the newest executions. */
  readonly rows: readonly TimelineRow[];
  /** Ids, the first job first: the jobs that made the build take as long as it did. */
  readonly critical_path: readonly string[];
}

/**
 * Where the time of a build went. `jobs` of the API with retried ones; `now` in milliseconds since the
 * epoch. What a job depends on comes of `depends_on` where the service says that, else of the times: then
 * a job waited for whatever had ended directly before it could run.
 */
export function timelineOf(jobs: readonly Job[], now: number): Timeline {
  const times = timesOf(jobs, now);
  const causes = causesOf(jobs, times);
  const path = criticalPath(times, causes);
  const onPath = new Set(path);
  const lines = new Map<string, TimelineJob>();
  jobs.forEach((job, index) => {
    const time = times[index];
    const cause = causes[index];
    if (job.type === 'waiter' || time === undefined || cause === undefined) return;
    const after = times[cause.after ?? -1]?.id ?? null;
    lines.set(time.id, lineOf(time, cause.ready, { after, isCritical: onPath.has(index) }));
  });
  const shown = [...lines.values()];
  return {
    from: least(shown.map(({ waited_from, started }) => waited_from ?? started)),
    to: most(times.map(({ end }) => end)),
    jobs: shown,
    rows: executions(jobs).flatMap(({ job, earlier }) => {
      const row = [...earlier, job].flatMap(({ id }) => lines.get(id ?? '') ?? []);
      return row.length === 0 ? [] : [{ id: job.id ?? '', jobs: row }];
    }),
    critical_path: path.map((index) => times[index]?.id ?? ''),
  };
}

function lineOf(
  { id, started, end, isOver }: JobTimes,
  ready: number | null,
  { after, isCritical }: { readonly after: string | null; readonly isCritical: boolean },
): TimelineJob {
  const until = started ?? end;
  return {
    id,
    waited: ready === null || until === null ? null : (until - ready) / 1000,
    ran: started === null || end === null ? null : (end - started) / 1000,
    waited_from: ready,
    started,
    finished: isOver ? end : null,
    on_critical_path: isCritical,
    after,
  };
}

const least = (values: readonly (number | null)[]): number | null =>
  values.reduce(
    (one, other) => (one === null || (other !== null && other < one) ? other : one),
    null,
  );

const most = (values: readonly (number | null)[]): number | null =>
  values.reduce(
    (one, other) => (one === null || (other !== null && other > one) ? other : one),
    null,
  );
