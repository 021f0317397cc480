import { raw } from 'hono/html';
import { type Execution, type Job, partOfParallel, executions } from '../../api/resources/job.ts';
import { stateText } from '../../render/state.ts';
import { Pager, StateSelect, type Pages } from '../lists/controls.tsx';
import { Plain, Prose } from '../elements.tsx';
import type { BuildView } from './build-view.ts';
import { RetryForm, nameOf, grouped } from './job-row.tsx';

export const JobList = ({
  view,
  listed: { list, pages },
  rows,
}: {
  readonly view: BuildView;
  readonly listed: ReturnType<typeof listedJobs>;
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
  list: readonly Execution[];
  rows: ReadonlyMap<string, string>;
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

function groupsOf(list: readonly Execution[]) {
  const groups: { readonly name: string | null; readonly members: Execution[] }[] = [];
  for (const one of list) {
    const name = one.job.group_label || one.job.group_key || null;
    const last = groups.at(-1);
    if (last?.name === name) last.members.push(one);
    else groups.push({ name, members: [one] });
  }
  return groups;
}

/** Searches the state, name, key and group of jobs. Reports have no search. */
const JobSearch = ({ view }: { readonly view: BuildView }) => {
  const { build, path, wanted } = view;
  const jobs = build.jobs ?? [];
  if (path === undefined || !jobs.some(({ type }) => type !== 'waiter')) return null;
  return (
    <form class="filters" method="get" action={`${path}#jobs`} role="search">
      {/* Only for builds whose jobs do not fit on one page. The text search also finds states. */}
      {(jobs.length > mostListed || wanted.state !== '') && (
        <StateSelect states={states} chosen={wanted.state} />
      )}
      <label>
        Job <input type="search" name="q" value={wanted.text} />
      </label>
      <button>Search</button>
      {isSome(wanted) && <a href={`${path}#jobs`}>All jobs</a>}
    </form>
  );
};

const states = [
  ...['failed', 'timed_out', 'canceled', 'broken', 'blocked'],
  ...['running', 'scheduled', 'waiting', 'passed'],
];

const isSome = ({ text, state }: WantedJobs): boolean => text !== '' || state !== '';

/** Wait steps are only listed if there is no filter. */
function foundJobs(list: readonly Execution[], wanted: WantedJobs): readonly Execution[] {
  if (!isSome(wanted)) return list;
  const text = wanted.text.toLowerCase();
  return list.filter(
    ({ job }) =>
      job.type !== 'waiter' &&
      (wanted.state === '' || job.state === wanted.state) &&
      textOf(job).includes(text),
  );
}

const textOf = (job: Job): string =>
  [
    stateText(job.state ?? '', job),
    `${nameOf(job)} ${partOfParallel(job) ?? ''}`,
    `#${job.step_key ?? ''}`,
    job.group_label,
    job.group_key,
  ]
    .join('\n')
    .toLowerCase();

/** One page of the matching jobs. Reports have a single page. */
export function listedJobs({ build, path, wanted }: BuildView): {
  readonly list: readonly Execution[];
  readonly pages: Pages;
} {
  const found = foundJobs(executions(build.jobs ?? []), wanted);
  if (path === undefined || found.length <= mostListed) return { list: found, pages: { text: '' } };
  const last = Math.ceil(found.length / mostListed);
  const page = Math.min(pageOf(found, wanted.job) ?? wanted.page, last);
  const start = (page - 1) * mostListed;
  const list = found.slice(start, start + mostListed);
  const { text, state } = wanted;
  const href = (to: number): string => wantedHref(path, { text, state, page: to });
  const [first, all] = [countOf(found.slice(0, start)) + 1, countOf(found)];
  return {
    list,
    pages: {
      text: `Jobs ${grouped(first)} to ${grouped(first + countOf(list) - 1)} of ${grouped(all)}`,
      previous: page > 1 ? href(page - 1) : undefined,
      next: page < last ? href(page + 1) : undefined,
    },
  };
}

function pageOf(found: readonly Execution[], id: string): number | undefined {
  const at = found.findIndex(({ job, earlier }) => [job, ...earlier].some((one) => one.id === id));
  return at < 0 ? undefined : Math.floor(at / mostListed) + 1;
}

const countOf = (list: readonly Execution[]): number =>
  list.filter(({ job }) => job.type !== 'waiter').length;

/** Which jobs are listed, according to the URL's query. */
export interface WantedJobs {
  /** Part of the state, name, key or group; empty for all jobs */
  readonly text: string;
  readonly state: string;
  readonly page: number;
  /** The ID of a job that must be on the page, even if `page` differs. Empty for none */
  readonly job: string;
}

/** Rows per page. Browsers need seconds to show 10,000 rows. */
const mostListed = 1000;

export const allJobs: WantedJobs = { text: '', state: '', page: 1, job: '' };

export const wantedJobs = (query: URLSearchParams): WantedJobs => ({
  text: query.get('q')?.trim() ?? '',
  state: query.get('state') ?? '',
  page: Math.max(1, Math.trunc(Number(query.get('page'))) || 1),
  job: query.get('job') ?? '',
});

/** Omits default values. */
export function wantedQuery({ text, state, page, job }: WantedJobs): Record<string, string> {
  const all = { q: text, state, page: page === 1 ? '' : String(page), job };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

export function wantedHref(path: string, wanted: Partial<WantedJobs>): string {
  const query = new URLSearchParams(wantedQuery({ ...allJobs, ...wanted })).toString();
  return `${path}${query && `?${query}`}#jobs`;
}
