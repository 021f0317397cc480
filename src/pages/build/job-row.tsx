import type { Execution } from '../../api/resources/executions.ts';
import type { Job } from '../../api/resources/job.ts';
import { partOfParallel } from '../../api/resources/job-title.ts';
import { duration } from '../../render/time.ts';
import { State } from '../state.tsx';
import { Prose } from '../text.tsx';
import type { TimelineJob } from '../timeline/timeline.ts';
import type { BuildView } from './build-view.ts';
import { JobNotes } from './job-notes.tsx';
import { nameOf } from './name-of.ts';
import { UnblockForm } from './unblock-form.tsx';

/** One job, with what it was before it was retried. Its id is that of the job, as addresses name it. */
export const JobRow = ({
  view,
  execution: { job, earlier },
  lines,
}: {
  readonly view: BuildView;
  readonly execution: Execution;
  readonly lines: ReadonlyMap<string, TimelineJob>;
}) => (
  <li class="job" id={job.id ?? undefined} data-row>
    <div class="job-line">
      <State state={job.state ?? ''} marks={job} />
      <span class="job-name">
        <JobLink view={view} job={job} />
        <JobNotes view={view} job={job} />
      </span>
      <Times line={lines.get(job.id ?? '')} />
    </div>
    {earlier.length > 0 && (
      <ol class="earlier" aria-label="Retried">
        {earlier.map((one) => (
          <li class="job-line" id={one.id ?? undefined}>
            <State state={one.state ?? ''} marks={one} />
            <span class="job-name">
              <JobLink view={view} job={one} />
              <JobNotes view={view} job={one} />
            </span>
            <Times line={lines.get(one.id ?? '')} />
          </li>
        ))}
      </ol>
    )}
    <UnblockForm view={view} job={job} />
  </li>
);

const JobLink = ({ view, job }: { readonly view: BuildView; readonly job: Job }) => {
  const href = view.jobHref(job);
  const part = partOfParallel(job);
  const name = (
    <>
      <Prose text={nameOf(job)} />
      {part !== undefined && ` ${part}`}
    </>
  );
  return href === undefined ? <span>{name}</span> : <a href={href}>{name}</a>;
};

const Times = ({ line }: { readonly line: TimelineJob | undefined }) => {
  const { waited = null, ran = null, on_critical_path: isCritical = false } = line ?? {};
  return (
    <span class="job-times">
      {isCritical && (
        <span class="critical" title="On the critical path">
          ◆<span class="unseen"> on the critical path</span>
        </span>
      )}
      {waited !== null && waited >= 1 && (
        <span class="quiet">waited {duration(waited * 1000)}</span>
      )}
      {ran !== null && <span>{duration(ran * 1000)}</span>}
    </span>
  );
};
