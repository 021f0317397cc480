import type { Execution, Job } from '../../api/resources/job.ts';
import { duration } from '../../render/time.ts';
import { htmlOf } from '../html-of.ts';
import { State } from '../state.tsx';
import type { TimelineJob } from '../timeline/timeline.ts';
import type { BuildView } from './build-view.ts';
import { JobLabel } from './job-label.tsx';
import { JobNotes } from './job-notes.tsx';
import { RetryButton } from './retry-button.tsx';
import { UnblockForm } from './unblock-form.tsx';

/** The rows of jobs as HTML, by the ids of their newest executions. */
export function jobRows(view: BuildView, list: readonly Execution[]): ReadonlyMap<string, string> {
  const lines = new Map(view.timeline.jobs.map((line) => [line.id, line]));
  return new Map(
    list
      .filter(({ job }) => job.type !== 'waiter')
      .map(({ job, earlier }) => [
        job.id ?? '',
        htmlOf(<Row view={view} job={job} earlier={earlier} lines={lines} />),
      ]),
  );
}

interface RowProps extends Execution {
  readonly view: BuildView;
  readonly lines: ReadonlyMap<string, TimelineJob>;
}

/** One job, with what it was before it was retried. Its id is that of the job, as addresses name it. */
const Row = ({ view, job, earlier, lines }: RowProps) => (
  <li class="job" id={job.id ?? undefined} data-row>
    <JobLine view={view} job={job} lines={lines} />
    {earlier.length > 0 && (
      <ol class="earlier" aria-label="Retried">
        {earlier.map((one) => (
          <li id={one.id ?? undefined}>
            <JobLine view={view} job={one} lines={lines} />
          </li>
        ))}
      </ol>
    )}
    <UnblockForm view={view} job={job} />
  </li>
);

const JobLine = ({ view, job, lines }: Omit<RowProps, 'earlier'>) => (
  <div class="job-line">
    <State state={job.state ?? ''} marks={job} />
    <span class="job-name">
      <JobLink view={view} job={job} />
      <JobNotes view={view} job={job} />
    </span>
    <span class="job-times number">
      <Times line={lines.get(job.id ?? '')} />
      <RetryButton view={view} job={job} />
    </span>
  </div>
);

const JobLink = ({ view, job }: { readonly view: BuildView; readonly job: Job }) => {
  const href = view.jobHref(job);
  const name = <JobLabel job={job} />;
  return href === undefined ? <span>{name}</span> : <a href={href}>{name}</a>;
};

const Times = ({ line }: { readonly line: TimelineJob | undefined }) => {
  const { waited = null, ran = null, on_critical_path: isCritical = false } = line ?? {};
  return (
    <>
      {isCritical && (
        <span class="critical" title="On the critical path">
          ◆<span class="unseen"> on the critical path</span>
        </span>
      )}
      {waited !== null && waited >= 1 && (
        <span class="quiet">waited {duration(waited * 1000)}</span>
      )}
      {ran !== null && <span>{duration(ran * 1000)}</span>}
    </>
  );
};
