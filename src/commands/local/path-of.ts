/** Paths of pages, which are those of `web_url` but for jobs that have a page of their own. */
import type { Job } from '../../api/resources/job.ts';
import type { Address } from '../../refs/address.ts';

/** What is known of where a page belongs. */
type Page = Omit<Address, 'host'>;

/** The page of a build, else of its pipeline, else of its organization, as far as it is known. */
export const pathOf = ({ org, pipeline, number }: Page): string =>
  ['', org, pipeline, ...(number === undefined ? [] : ['builds', number])]
    .filter((part) => part !== undefined)
    .join('/');

/** Jobs that ran have a page of their own, others a place on that of their build. */
export const pathOfJob = (build: Page, { id, type }: Pick<Job, 'id' | 'type'>): string =>
  `${pathOf(build)}${type === 'script' ? '/jobs/' : '#'}${id ?? ''}`;
