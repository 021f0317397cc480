import type { Job } from '../../api/resources/job.ts';
import { stateColor } from '../../render/state.ts';
import type { BuildView } from './build-view.ts';
import { grouped } from './grouped.ts';
import { JobLabel } from './job-label.tsx';

/** What is to be looked at first, with the way there: what failed, and who waits for a person. */
export const ForAttention = ({ view }: { readonly view: BuildView }) => {
  const { build, context, jobHref } = view;
  if (context.isFile) return null;
  const jobs = build.jobs ?? [];
  return (
    <>
      <Jobs tone="bad" words="✗ Failed" jobs={jobs.filter(hasFailed)} href={jobHref} />
      <Jobs
        tone="busy"
        words="■ Waits for a person"
        jobs={jobs.filter(({ state, type }) => state === 'blocked' && type === 'manual')}
        href={({ id }) => `#${id ?? ''}`}
      />
    </>
  );
};

/** In the end, and so that it counts: a retry may have passed. */
const hasFailed = (job: Job): boolean =>
  job.retried !== true && stateColor(job.state ?? '', job) === 'red';

interface JobsProps {
  readonly tone: string;
  /** Begins with the sign of the state. */
  readonly words: string;
  readonly jobs: readonly Job[];
  readonly href: (job: Job) => string | undefined;
}

const Jobs = ({ tone, words, jobs, href }: JobsProps) =>
  jobs.length === 0 ? null : (
    <p>
      <span class={tone}>{words}</span>:{' '}
      {jobs.slice(0, mostNamed).map((job, index) => (
        <>
          {index > 0 && ', '}
          <a href={href(job)}>
            <JobLabel job={job} />
          </a>
        </>
      ))}
      {jobs.length > mostNamed && (
        <>
          {' '}
          and <a href="#jobs">{grouped(jobs.length - mostNamed)} more</a>
        </>
      )}
    </p>
  );

const mostNamed = 8;
