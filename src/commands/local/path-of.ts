/** Paths of pages, which are those of `web_url` but for jobs that have a page of their own. */
import type { Job } from '../../api/resources/job.ts';

interface Place {
  readonly org: string;
  readonly pipeline?: string;
  readonly number?: number;
}

/** The page of a build, else of its pipeline, else of its organization, as far as it is known. */
export const pathOf = ({ org, pipeline, number }: Place): string =>
  ['', org, pipeline, ...(number === undefined ? [] : ['builds', number])]
    .filter((part) => part !== undefined)
    .join('/');

/** Jobs that ran have a page of their own, others a place on that of their build. */
export const pathOfJob = (build: Place, { id, type }: Pick<Job, 'id' | 'type'>): string =>
  `${pathOf(build)}${type === 'script' ? '/jobs/' : '#'}${id ?? ''}`;
