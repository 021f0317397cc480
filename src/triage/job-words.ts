import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { currentJobs } from '../watch/changes.ts';
import { variantOf } from '../watch/job-names.ts';
import { jobTitleLine } from '../watch/job-title.ts';
import type { Failure } from './report-resource.ts';
import { rowLines } from './words.ts';
import { wrap } from './wrap.ts';

/** The displayed name of a job: its title, and its difference from other jobs of the step. */
export function jobLabel(job: Job): string {
  const title = cleanLine(jobTitleLine(job)).trim();
  return [title, ...variantOf(job, title)].join(' ');
}

export function failureName(
  { id, name }: Pick<Failure, 'id' | 'name'>,
  { jobs }: Pick<Build, 'jobs'>,
): string {
  const job = (jobs ?? []).find((one) => id !== null && one.id === id);
  return job === undefined ? cleanLine(name) : jobLabel(job);
}

/** What the user types after `#` for this job: the step key if it is unique, otherwise the ID. */
export function jobWord(
  { step_key: key, id }: Pick<Job, 'step_key' | 'id'>,
  jobs: readonly Job[],
): string | undefined {
  const isUnique = jobs.filter(({ step_key: other }) => other === key).length === 1;
  return [isUnique ? key : null, id].find(isTypable) ?? undefined;
}

const isTypable = (name: string | null | undefined): boolean =>
  name != null && /^[\w.-]+$/.test(name);

/** The states in each class of jobs. The classes are in the order in which counts are shown. */
const states = {
  passed: ['passed', 'unblocked'],
  failed: ['failed', 'timed_out', 'expired'],
  soft: [],
  canceled: ['canceled'],
  blocked: ['blocked'],
  running: ['running', 'canceling', 'timing_out'],
  waiting: [],
  skipped: ['skipped'],
  'not run': ['broken', 'waiting_failed', 'blocked_failed', 'unblocked_failed'],
} as const satisfies Record<string, readonly string[]>;

export type JobClass = keyof typeof states;

export const jobClasses = Object.keys(states) as JobClass[];

const classes = new Map<string, JobClass>(
  jobClasses.flatMap((name) => states[name].map((state) => [state, name] as const)),
);

/** The class of a job. Jobs in unknown states are in the waiting class. */
export function jobClass({ state, soft_failed: soft }: Job): JobClass {
  const found = classes.get(state ?? '') ?? 'waiting';
  return found === 'failed' && soft === true ? 'soft' : found;
}

/** Counts the latest execution of each job. Wait steps are not counted. */
export function countJobs(build: Build): ReadonlyMap<JobClass, number> {
  const counts = new Map<JobClass, number>();
  for (const job of currentJobs(build)) {
    const name = jobClass(job);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

export const countedClasses = (
  counts: ReadonlyMap<JobClass, number>,
  names: readonly JobClass[] = jobClasses,
): string[] =>
  names.filter((name) => counts.has(name)).map((name) => `${counts.get(name) ?? 0} ${name}`);

/** For example, `○ no agent has queue=gpu: Train, Test`, with one line per set of missing tags. */
export const agentWaits = ({ jobs }: Build, { width }: { readonly width: number }): string =>
  rowLines(
    agentWaitsOf(jobs ?? []).flatMap((wait) =>
      wrap(`○ ${wait}`, { width, indent: 2, byWords: true }),
    ),
  );

export function agentWaitsOf(jobs: readonly Job[]): string[] {
  const names = new Map<string, string[]>();
  for (const job of jobs) {
    const wait = agentWait(job);
    if (wait !== '') names.set(wait, [...(names.get(wait) ?? []), jobLabel(job)]);
  }
  return [...names].map(([wait, labels]) => `${wait}: ${labels.join(', ')}`);
}

/** For example, `no agent has queue=gpu, os=linux`. Empty unless the job waits for an agent. */
export const agentWait = ({ waiting_for_agents: tags }: Job): string =>
  tags && tags.length > 0 ? cleanLine(`no agent has ${tags.join(', ')}`) : '';
