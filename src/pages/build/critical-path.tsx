import type { Job } from '../../api/resources/job.ts';
import { duration } from '../../render/time.ts';
import type { BuildView } from './build-view.ts';
import { JobLabel } from './job-label.tsx';

/** The jobs on the critical path, each with what it took: the last ones where there are many. */
export const CriticalPath = ({
  view,
  jobs,
}: {
  readonly view: BuildView;
  /** Of the build, by their ids. */
  readonly jobs: ReadonlyMap<string, Job>;
}) => {
  const lines = new Map(view.timeline.jobs.map((line) => [line.id, line]));
  const path = view.timeline.critical_path;
  const shown = path.length > mostNamed ? path.slice(-mostNamed) : path;
  return (
    <p>
      <span class="critical" aria-hidden="true">
        ◆
      </span>{' '}
      What took so long: {path.length > shown.length && '… → '}
      {shown.map((id, index) => {
        const { waited = null, ran = null } = lines.get(id) ?? {};
        const seconds = (waited ?? 0) + (ran ?? 0);
        return (
          <>
            {index > 0 && ' → '}
            <a href={`#${id}`}>
              <JobLabel job={jobs.get(id) ?? {}} />
            </a>{' '}
            <span class="quiet">{duration(seconds * 1000)}</span>
          </>
        );
      })}
    </p>
  );
};

const mostNamed = 8;
