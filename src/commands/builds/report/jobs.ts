import type { Build } from '../../../api/resources/build.ts';
import type { Job } from '../../../api/resources/job.ts';
import type { Sorted } from '../../../triage/sort-jobs.ts';
import { hasLog } from '../../pickable.ts';
import { mayHaveLog } from '../attempt.ts';
import type { ReportRequest } from './request.ts';

export interface LogToRead {
  readonly job: Job;
  /** It is looked through for why its job failed. */
  readonly isExplained: boolean;
}

/**
 * The logs that a report needs, in the order of the build: those that were asked for; where only data
 * is wanted, those of failures that are explained.
 */
export function logsToRead(
  { jobs }: Build,
  { failures }: Sorted,
  { isData, logs }: Pick<ReportRequest, 'isData' | 'logs'>,
  mostExplained: number,
): LogToRead[] {
  if (logs === 'none') return [];
  const failed = failures.map(({ job }) => job).filter(mayHaveLog);
  const explained = new Set(failed.slice(0, mostExplained));
  const wanted = isData ? explained : new Set(failed);
  return (jobs ?? [])
    .filter((job) => wanted.has(job) || (logs === 'all' && !isData && hasLog(job)))
    .map((job) => ({ job, isExplained: explained.has(job) }));
}
