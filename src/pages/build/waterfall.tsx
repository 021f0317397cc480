import type { Job } from '../../api/resources/job.ts';
import type { Timeline } from '../timeline/timeline.ts';
import type { BuildView } from './build-view.ts';
import { Chart } from './chart.tsx';
import { CriticalPath } from './critical-path.tsx';
import { LeftOut } from './left-out.tsx';
import { scaleOf } from './scale.ts';
import { shownRows } from './shown-rows.ts';
import type { Span } from './stretches.ts';
import { TimeScale } from './time-scale.tsx';
import { WaterfallRow } from './waterfall-row.tsx';

/** Who waited for whom, and where the time went: a list of the jobs with a bar over time beside each. */
export const Waterfall = ({ view }: { readonly view: BuildView }) => {
  const { rows, from, to } = view.timeline;
  if (from === null || to === null) return null;
  const jobs = new Map((view.build.jobs ?? []).map((job) => [job.id ?? '', job]));
  const shown = shownRows(rows);
  const scale = scaleOf(from, to, busyTimes(view.timeline, jobs));
  return (
    <>
      <h2>Waterfall</h2>
      <CriticalPath view={view} jobs={jobs} />
      <LeftOut rows={rows} shown={shown} />
      <div class="waterfall">
        <TimeScale scale={scale} />
        <ol class="waterfall-rows">
          {shown.map((row) => (
            <WaterfallRow view={view} row={row} jobs={jobs} />
          ))}
        </ol>
        <Chart view={view} rows={shown} jobs={jobs} scale={scale} />
      </div>
      <p class="line hint" aria-hidden="true">
        <span>
          <span class="key key-wait" /> waits
        </span>
        <span>
          <span class="key good" /> runs
        </span>
        <span>
          <span class="critical">◆</span> on the critical path
        </span>
      </p>
    </>
  );
};

/** When something ran or could have run; a person takes what time they want. */
const busyTimes = ({ jobs: lines, to }: Timeline, jobs: ReadonlyMap<string, Job>): Span[] =>
  lines.flatMap(({ id, waited_from, started, finished }) => {
    const from = waited_from ?? started;
    const end = finished ?? to;
    return from === null || end === null || jobs.get(id)?.type === 'manual'
      ? []
      : [{ from, to: end }];
  });
