import type { Build } from '../../api/resources/build.ts';
import type { Job } from '../../api/resources/job.ts';
import { duration } from '../../render/time.ts';
import type { PageContext } from '../page-context.ts';
import { State } from '../state.tsx';
import { Plain, Prose } from '../text.tsx';
import { timelineOf, type TimelineJob } from '../timeline/timeline.ts';

/** The head of the build and its jobs with their times. */
export const Overview = ({
  build,
  context,
}: {
  readonly build: Build;
  readonly context: PageContext;
}) => {
  const jobs = new Map((build.jobs ?? []).map((job) => [job.id ?? '', job]));
  return (
    <>
      <h1>
        <State state={build.state ?? ''} marks={build} />{' '}
        <Prose text={(build.message ?? '').split('\n', 1)[0] ?? ''} />
      </h1>
      <p class="quiet">
        <Plain text={build.branch ?? ''} /> <Plain text={(build.commit ?? '').slice(0, 10)} />
      </p>
      <table>
        <thead>
          <tr>
            <th>State</th>
            <th>Job</th>
            <th>Waited</th>
            <th>Ran</th>
          </tr>
        </thead>
        <tbody>
          {timelineOf(build.jobs ?? [], context.now).jobs.map((time) => (
            <Row time={time} job={jobs.get(time.id) ?? {}} context={context} />
          ))}
        </tbody>
      </table>
    </>
  );
};

const Row = ({
  time,
  job,
  context,
}: {
  readonly time: TimelineJob;
  readonly job: Job;
  readonly context: PageContext;
}) => (
  <tr id={time.id}>
    <td>
      <State state={job.state ?? ''} marks={job} />
    </td>
    <td>
      <a href={context.link(job.web_url)}>
        <Prose text={job.name ?? job.label ?? job.step_key ?? time.id} />
      </a>
    </td>
    <td>{seconds(time.waited)}</td>
    <td>
      {seconds(time.ran)} {time.on_critical_path && '◆'}
    </td>
  </tr>
);

const seconds = (span: number | null): string => (span === null ? '' : duration(span * 1000));
