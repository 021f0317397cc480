import type { Job } from '../api/resources/job.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { jobTitleLine } from '../watch/job-title.ts';
import { variantOf } from '../watch/job-names.ts';
import type { Build } from '../api/resources/build.ts';
import type { Failure } from './report-resource.ts';
import { currentJobs } from '../watch/changes.ts';
import type { ScreenOptions } from './job-table.ts';
import { wrap } from './wrap.ts';

/** What a job is called on a screen: its title, and which of the jobs of its step it is. */
export function jobLabel(job: Job): string {
  const title = cleanLine(jobTitleLine(job)).trim();
  return [title, ...variantOf(job, title)].join(' ');
}

/** What a failure is called on a screen: `Unit tests 1/2`, where the build knows which it is. */
export function failureName(
  { id, name }: Pick<Failure, 'id' | 'name'>,
  { jobs }: Pick<Build, 'jobs'>,
): string {
  const job = (jobs ?? []).find((one) => id !== null && one.id === id);
  return job === undefined ? cleanLine(name) : jobLabel(job);
}

/**
 * The name of a job that can be typed behind `#`: its step key where no other job has it, else its
 * id; undefined where neither can be typed.
 */
export function jobWord(
  { step_key: key, id }: Pick<Job, 'step_key' | 'id'>,
  jobs: readonly Job[],
): string | undefined {
  const isUnique = jobs.filter(({ step_key: other }) => other === key).length === 1;
  return [isUnique ? key : null, id].find(isTypable) ?? undefined;
}

const isTypable = (name: string | null | undefined): boolean =>
  name != null && /^[\w.-]+$/.test(name);

/** What became of a job, as a screen counts it, in the order of a line of counts. */
export const jobClasses = [
  'passed',
  'failed',
  'soft',
  'canceled',
  'blocked',
  'running',
  'waiting',
  'skipped',
  'not run',
] as const;
export type JobClass = (typeof jobClasses)[number];

/** The class of a job; a state that is unknown here counts as waiting: nothing came of it yet. */
export function jobClass({ state, soft_failed: soft }: Job): JobClass {
  const found = classes.get(state ?? '') ?? 'waiting';
  return found === 'failed' && soft === true ? 'soft' : found;
}

/** How many of the newest executions are in each class; waiters are no jobs to a reader. */
export function countJobs(build: Build): ReadonlyMap<JobClass, number> {
  const counts = new Map<JobClass, number>();
  for (const job of currentJobs(build)) {
    const name = jobClass(job);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** `2 passed`, `1 soft`: the classes that there are any of. */
export const countedClasses = (
  counts: ReadonlyMap<JobClass, number>,
  names: readonly JobClass[] = jobClasses,
): string[] =>
  names.filter((name) => counts.has(name)).map((name) => `${counts.get(name) ?? 0} ${name}`);

const classes = new Map<string, JobClass>([
  ['passed', 'passed'],
  ['unblocked', 'passed'],
  ['failed', 'failed'],
  ['timed_out', 'failed'],
  ['expired', 'failed'],
  ['canceled', 'canceled'],
  ['blocked', 'blocked'],
  ['running', 'running'],
  ['canceling', 'running'],
  ['timing_out', 'running'],
  ['skipped', 'skipped'],
  ['broken', 'not run'],
  ['waiting_failed', 'not run'],
  ['blocked_failed', 'not run'],
  ['unblocked_failed', 'not run'],
]);

// Jobs that no connected agent may take: what an agent would have to be.

/** `○ no agent has queue=gpu: Train, Test`, a line for what jobs have in common; else nothing. */
export const agentWaits = ({ jobs }: Build, { width }: Pick<ScreenOptions, 'width'>): string =>
  agentWaitsOf(jobs ?? [])
    .flatMap((wait) => wrap(`○ ${wait}`, { width, indent: 2, byWords: true }))
    .map((row) => `${row}\n`)
    .join('');

/** `no agent has queue=gpu: Train, Test`, each thing that jobs wait for once. */
export function agentWaitsOf(jobs: readonly Job[]): string[] {
  const names = new Map<string, string[]>();
  for (const job of jobs) {
    const wait = agentWait(job);
    if (wait !== '') names.set(wait, [...(names.get(wait) ?? []), jobLabel(job)]);
  }
  return [...names].map(([wait, labels]) => `${wait}: ${labels.join(', ')}`);
}

/** `no agent has queue=gpu, os=linux`; empty for a job that waits for none. */
export const agentWait = ({ waiting_for_agents: tags }: Job): string =>
  tags && tags.length > 0 ? cleanLine(`no agent has ${tags.join(', ')}`) : '';
