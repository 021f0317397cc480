import type { Execution } from '../../api/resources/executions.ts';
import type { Job } from '../../api/resources/job.ts';
import { partOfParallel } from '../../api/resources/job-title.ts';
import { stateText } from '../../render/state.ts';
import type { BuildView } from './build-view.ts';
import { nameOf } from './name-of.ts';

/** Looks for jobs by a part of what their rows begin with: state, name, key, group. A report has none. */
export const JobSearch = ({ view }: { readonly view: BuildView }) => {
  const { build, path, jobText } = view;
  if (path === undefined || !(build.jobs ?? []).some(({ type }) => type !== 'waiter')) return null;
  return (
    <form class="filters" method="get" action={`${path}#jobs`} role="search">
      <label>
        Job <input type="search" name="q" value={jobText} />
      </label>
      <button>Search</button>
      {jobText !== '' && <a href={`${path}#jobs`}>All jobs</a>}
    </form>
  );
};

/** Those that have the text, whatever the case; waits are of all jobs alone. */
export function foundJobs(list: readonly Execution[], text: string): readonly Execution[] {
  if (text === '') return list;
  const wanted = text.toLowerCase();
  return list.filter(({ job }) => job.type !== 'waiter' && textOf(job).includes(wanted));
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
