/** The builds and jobs to choose from if the argument of a command is missing. */
import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import type { JobOptions } from '../refs/resolve.ts';
import type { PickableBuilds } from '../refs/resolve-build.ts';

type Pickable = Required<Pick<JobOptions, 'candidates' | 'pickableBuilds'>>;

const finalStates = new Set(['passed', 'failed', 'canceled', 'canceling', 'skipped', 'not_run']);

/** A blocked build keeps its previous state. A build in an unknown state counts as unfinished. */
export const isUnfinished = ({ state, blocked }: Build): boolean =>
  blocked === true || !finalStates.has(state ?? '');

export const unfinishedBuilds: PickableBuilds = {
  word: 'unfinished',
  states: ['scheduled', 'running', 'failing', 'blocked'],
  test: isUnfinished,
};

/** If the list does not include a build's jobs, the build is offered anyway. */
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

/** Excludes retried jobs, because their newest retry is also in the list. */
const failed = having(
  'retryable',
  'failed',
  (job) => isScript(job) && retryable.has(job.state ?? '') && job.retried !== true,
);

/** The service rejects retries of jobs in a canceled build. */
export const retryableJobs: Pickable = {
  ...failed,
  pickableBuilds: {
    word: 'failed',
    test: (build) => build.state !== 'canceled' && (failed.pickableBuilds.test?.(build) ?? true),
  },
};

/** Every job that has started has a log. */
export const hasLog = (job: Job): boolean => isScript(job) && Boolean(job.started_at);

export const jobsWithLog = having('started', 'started', hasLog);
