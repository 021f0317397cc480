import { executions, type Execution } from '../../api/resources/job.ts';
import type { Pages } from '../lists/pager.tsx';
import type { BuildView } from './build-view.ts';
import { grouped } from './grouped.ts';
import { foundJobs } from './job-search.tsx';
import { mostListed, wantedHref } from './wanted-jobs.ts';

export interface ListedJobs {
  readonly list: readonly Execution[];
  /** The way to the others; without links where all are listed. */
  readonly pages: Pages;
}

/** The jobs of the page that is wanted, of all that are wanted. A report has one page of all. */
export function listedJobs({ build, path, wanted }: BuildView): ListedJobs {
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
  const at = found.findIndex(
    ({ job, earlier }) => job.id === id || earlier.some((one) => one.id === id),
  );
  return at < 0 ? undefined : Math.floor(at / mostListed) + 1;
}

/** Waits are no jobs. */
const countOf = (list: readonly Execution[]): number =>
  list.filter(({ job }) => job.type !== 'waiter').length;
