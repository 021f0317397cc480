import { type Job, partOfParallel, jobTitle } from '../../api/resources/job.ts';
import { Prose } from '../elements.tsx';

/** What a job is called, with which of the jobs of its step it is: `Test 2/4`. */
export const JobLabel = ({ job }: { readonly job: Job }) => {
  const part = partOfParallel(job);
  return (
    <>
      <Prose text={nameOf(job)} />
      {part !== undefined && ` ${part}`}
    </>
  );
};

/** What a page calls a job: in one line. */
export const nameOf = (job: Job): string => jobTitle(job) ?? 'job';

/** A number with its thousands apart: `10,000`. */
export const grouped = (count: number): string => count.toLocaleString('en');
