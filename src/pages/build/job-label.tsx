import { type Job, partOfParallel } from '../../api/resources/job.ts';
import { Prose } from '../text.tsx';
import { nameOf } from './name-of.ts';

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
