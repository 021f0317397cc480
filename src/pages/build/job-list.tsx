import { executions, type Execution } from '../../api/resources/executions.ts';
import type { TimelineJob } from '../timeline/timeline.ts';
import { Prose } from '../text.tsx';
import type { BuildView } from './build-view.ts';
import { JobRow } from './job-row.tsx';

/** The jobs in the order of the file, in their groups; a rule stands for a wait. */
export const JobList = ({ view }: { readonly view: BuildView }) => {
  const lines = new Map(view.timeline.jobs.map((line) => [line.id, line]));
  return (
    <>
      <h2>Jobs</h2>
      {groupsOf(executions(view.build.jobs ?? [])).map(({ key, list }) =>
        key === null ? (
          <Rows view={view} list={list} lines={lines} />
        ) : (
          <details class="group" open>
            <summary>
              <Prose text={key} />
            </summary>
            <Rows view={view} list={list} lines={lines} />
          </details>
        ),
      )}
    </>
  );
};

const Rows = ({
  view,
  list,
  lines,
}: {
  readonly view: BuildView;
  readonly list: readonly Execution[];
  readonly lines: ReadonlyMap<string, TimelineJob>;
}) => (
  <ol class="jobs">
    {list.map((execution) =>
      execution.job.type === 'waiter' ? (
        <li class="wait quiet">wait</li>
      ) : (
        <JobRow view={view} execution={execution} lines={lines} />
      ),
    )}
  </ol>
);

interface Group {
  readonly key: string | null;
  readonly list: Execution[];
}

/** What follows one another in the same group. */
function groupsOf(list: readonly Execution[]): Group[] {
  const groups: Group[] = [];
  for (const one of list) {
    const key = one.job.group_key || null;
    const last = groups.at(-1);
    if (last?.key === key) last.list.push(one);
    else groups.push({ key, list: [one] });
  }
  return groups;
}
