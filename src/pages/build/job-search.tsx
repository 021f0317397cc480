import { type Execution, type Job, partOfParallel } from '../../api/resources/job.ts';
import { stateText } from '../../render/state.ts';
import { StateSelect } from '../lists/state-select.tsx';
import type { BuildView } from './build-view.ts';
import { nameOf } from './name-of.ts';
import { mostListed, type WantedJobs } from './wanted-jobs.ts';

/** Looks for jobs by their state, and by a part of what their rows begin with: state, name, key, group. A report has none. */
export const JobSearch = ({ view }: { readonly view: BuildView }) => {
  const { build, path, wanted } = view;
  const jobs = build.jobs ?? [];
  if (path === undefined || !jobs.some(({ type }) => type !== 'waiter')) return null;
  return (
    <form class="filters" method="get" action={`${path}#jobs`} role="search">
      {/* Where there are too many rows to look through; the search finds states as well. */}
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

/** What one looks for first comes first. */
const states = [
  ...['failed', 'timed_out', 'canceled', 'broken', 'blocked'],
  ...['running', 'scheduled', 'waiting', 'passed'],
];

/** Whether some jobs are looked for, and not all. */
export const isSome = ({ text, state }: Pick<WantedJobs, 'text' | 'state'>): boolean =>
  text !== '' || state !== '';

/** Those in the state that have the text, whatever the case; waits are of all jobs alone. */
export function foundJobs(
  list: readonly Execution[],
  wanted: Pick<WantedJobs, 'text' | 'state'>,
): readonly Execution[] {
  if (!isSome(wanted)) return list;
  const text = wanted.text.toLowerCase();
  return list.filter(
    ({ job }) =>
      job.type !== 'waiter' &&
      (wanted.state === '' || job.state === wanted.state) &&
      textOf(job).includes(text),
  );
}

/** A line each. */
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
