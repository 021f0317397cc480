/** JOB left out: asked for among those that the command can do something with. */
import type { Job } from '../api/resources/job.ts';
import { stateLabel } from '../render/state.ts';

/** Which jobs are meant, and which may be picked beside them. */
export interface PickableJobs {
  /** What they are, for the question: `failed`. */
  readonly word: string;
  readonly test: (job: Job) => boolean;
  /** On a terminal these follow them; default none. */
  readonly others?: (job: Job) => boolean;
}

/** A row a job; those that were not tried have no exit code. */
export const jobChoices = (jobs: readonly Job[]): { cells: string[]; value: Job }[] =>
  jobs.map((job) => ({ cells: cellsOf(job), value: job }));

const cellsOf = (job: Job): string[] => [
  stateLabel(job.state ?? '', job),
  titleOf(job),
  job.step_key ? `#${job.step_key}` : '',
  typeof job.exit_status === 'number' ? `exit ${job.exit_status}` : '',
  job.retried === true ? 'retried' : '',
];

/** Parallel jobs have one name, and are told apart by their place. */
function titleOf(job: Job): string {
  const { parallel_group_index: index, parallel_group_total: total } = job;
  const name = job.name ?? job.label ?? job.step_key ?? job.type ?? '';
  return typeof index === 'number' && typeof total === 'number'
    ? `${name} ${index + 1}/${total}`
    : name;
}
