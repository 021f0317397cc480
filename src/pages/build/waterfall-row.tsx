import type { Job } from '../../api/resources/job.ts';
import { stateText } from '../../render/state.ts';
import { duration } from '../../render/time.ts';
import type { TimelineJob, TimelineRow } from '../timeline/timeline.ts';
import type { BuildView } from './build-view.ts';
import { JobLabel } from './job-label.tsx';
import { nameOf } from './name-of.ts';

interface RowProps {
  readonly view: BuildView;
  readonly row: TimelineRow;
  /** Of the build, by their ids. */
  readonly jobs: ReadonlyMap<string, Job>;
}

/** The name of a job; its bars lie over the row, and are said in words to who does not see them. */
export const WaterfallRow = ({ view, row, jobs }: RowProps) => {
  const job = jobs.get(row.id) ?? {};
  const href = view.jobHref(job);
  const isCritical = row.jobs.some(({ on_critical_path: is }) => is);
  const label = (
    <>
      {isCritical && (
        <span class="critical" aria-hidden="true">
          ◆{' '}
        </span>
      )}
      <JobLabel job={job} />
    </>
  );
  return (
    <li class={isCritical ? 'on-path' : undefined}>
      {href === undefined ? (
        <span class="label">{label}</span>
      ) : (
        <a class="label" href={href}>
          {label}
        </a>
      )}
      <span class="unseen">: {row.jobs.map((line) => wordsOf(line, jobs)).join('; then ')}</span>
    </li>
  );
};

/** `passed, waited 2s, ran 10s, after Build, on the critical path`. */
function wordsOf(line: TimelineJob, jobs: ReadonlyMap<string, Job>): string {
  const job = jobs.get(line.id);
  const after = jobs.get(line.after ?? '');
  return [
    stateText(job?.state ?? '', job),
    ...(line.waited === null ? [] : [`waited ${duration(line.waited * 1000)}`]),
    ...(line.ran === null ? [] : [`ran ${duration(line.ran * 1000)}`]),
    ...(after === undefined ? [] : [`after ${nameOf(after)}`]),
    ...(line.on_critical_path ? ['on the critical path'] : []),
  ].join(', ');
}
