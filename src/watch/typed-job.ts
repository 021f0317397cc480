import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';

/** What is typed for a job behind `#`: its step key where that leads to it alone, else its id. */
export function typedJob({ step_key: key, id }: Job, { jobs }: Build): string | undefined {
  const isUnique = (jobs ?? []).filter(({ step_key: other }) => other === key).length === 1;
  return key && isUnique && /^[\w.-]+$/.test(key) ? key : (id ?? undefined);
}
