/** What is offered where a command that changes something is not given its build or job. */
import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import type { JobOptions } from '../refs/resolve.ts';
import type { PickableBuilds } from '../refs/resolve-build.ts';

type Pickable = Required<Pick<JobOptions, 'candidates' | 'pickableBuilds'>>;

/** A build that waits for a person keeps the state that it had. */
const over = new Set(['passed', 'failed', 'canceled', 'canceling', 'skipped', 'not_run']);

/** Whether a build has not ended; of a state that is not known here the service may say more. */
export const isUnfinished = ({ state, blocked }: Build): boolean =>
  blocked === true || !over.has(state ?? '');

export const unfinishedBuilds: PickableBuilds = {
  word: 'unfinished',
  states: ['scheduled', 'running', 'failing', 'blocked'],
  test: isUnfinished,
};

/** Builds of such jobs, and these. A list may come without its jobs. */
const having = (word: string, buildWord: string, test: (job: Job) => boolean): Pickable => ({
  candidates: { word, test },
  pickableBuilds: { word: buildWord, test: ({ jobs }) => jobs?.some(test) ?? true },
});

const isScript = ({ type }: Job): boolean => (type ?? 'script') === 'script';

const blocked = having('blocked', 'blocked', ({ state }) => state === 'blocked');

export const blockedSteps: Pickable = {
  ...blocked,
  pickableBuilds: { ...blocked.pickableBuilds, states: ['blocked'] },
};

const retryable = new Set(['failed', 'timed_out', 'canceled', 'expired']);

/** One that was retried before leads to its newest execution, which stands beside it. */
const failed = having(
  'retryable',
  'failed',
  (job) => isScript(job) && retryable.has(job.state ?? '') && job.retried !== true,
);

/** Those of a canceled build the service refuses. */
export const retryableJobs: Pickable = {
  ...failed,
  pickableBuilds: {
    word: 'failed',
    test: (build) => build.state !== 'canceled' && (failed.pickableBuilds.test?.(build) ?? true),
  },
};

/** Whether a job has begun, so that it has a log. */
export const hasLog = (job: Job): boolean => isScript(job) && Boolean(job.started_at);

export const jobsWithLog = having('started', 'started', hasLog);
