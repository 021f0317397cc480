import type { Build } from '../api/resources/build.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { jobLabel } from './job-label.ts';
import type { Failure } from './report-resource.ts';

/** What a failure is called on a screen: `Unit tests 1/2`, where the build knows which it is. */
export function failureName(
  { id, name }: Pick<Failure, 'id' | 'name'>,
  { jobs }: Pick<Build, 'jobs'>,
): string {
  const job = (jobs ?? []).find((one) => id !== null && one.id === id);
  return job === undefined ? cleanLine(name) : jobLabel(job);
}
