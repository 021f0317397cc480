import { raw } from 'hono/html';
import type { Execution } from '../../api/resources/job.ts';
import { stateText } from '../../render/state.ts';
import { Pager } from '../lists/pager.tsx';
import { Plain, Prose } from '../text.tsx';
import type { BuildView } from './build-view.ts';
import { isSome, JobSearch } from './job-search.tsx';
import type { ListedJobs } from './listed-jobs.ts';
import { RetryForm } from './retry-button.tsx';
import type { WantedJobs } from './wanted-jobs.ts';

/** The jobs in the order of the file, in their groups; a rule stands for a wait. `rows` by the ids of jobs. */
export const JobList = ({
  view,
  listed: { list, pages },
  rows,
}: {
  readonly view: BuildView;
  readonly listed: ListedJobs;
  readonly rows: ReadonlyMap<string, string>;
}) => (
  <>
    <h2>Jobs</h2>
    <JobSearch view={view} />
    <RetryForm view={view} />
    {list.length === 0 && isSome(view.wanted) && <NoJobs {...view.wanted} />}
    {pages.text !== '' && <p class="quiet">{pages.text}</p>}
    {groupsOf(list).map(({ name, members }) =>
      name === null ? (
        <Rows list={members} rows={rows} />
      ) : (
        <details class="group" open>
          <summary>
            <Prose text={name} />
          </summary>
          <Rows list={members} rows={rows} />
        </details>
      ),
    )}
    <Pager {...pages} />
  </>
);

const NoJobs = ({ text, state }: WantedJobs) => (
  <p class="empty">
    No job {state !== '' && `is in the state “${stateText(state)}”`}
    {state !== '' && text !== '' && ' and '}
    {text !== '' && (
      <>
        has “<Plain text={text} />” in its state, name, key or group
      </>
    )}
    .
  </p>
);

const Rows = ({
  list,
  rows,
}: {
  readonly list: readonly Execution[];
  readonly rows: ReadonlyMap<string, string>;
}) => (
  <ol class="jobs">
    {list.map(({ job }) =>
      job.type === 'waiter' ? (
        <li class="wait quiet" id={job.id ?? undefined}>
          wait
        </li>
      ) : (
        raw(rows.get(job.id ?? '') ?? '')
      ),
    )}
  </ol>
);

interface Group {
  readonly name: string | null;
  readonly members: Execution[];
}

/** What follows one another in the same group. */
function groupsOf(list: readonly Execution[]): Group[] {
  const groups: Group[] = [];
  for (const one of list) {
    const name = one.job.group_label || one.job.group_key || null;
    const last = groups.at(-1);
    if (last?.name === name) last.members.push(one);
    else groups.push({ name, members: [one] });
  }
  return groups;
}
