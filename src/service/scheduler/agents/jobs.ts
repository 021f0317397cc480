/** An agent that is a program of its own takes a job. */
import { createHmac } from 'node:crypto';
import { acceptJob, hasJob, beginJob, finishJob } from '../../domain/job-lifecycle.ts';
import { findJob } from '../../domain/find-job.ts';
import { demandOf, readDemand } from '../../domain/agents.ts';
import type { Job, JobState, Tree } from '../../domain/records.ts';
import { Refusal } from '../../domain/refusal.ts';
import { change, type EngineState } from '../engine-state.ts';
import { issueJobToken } from '../job-token.ts';
import { dropOffer, type Session } from './session.ts';
import type { Outcome } from '../../runner-port.ts';
import { scheduleFill } from '../triggers.ts';
import { changeAgent } from './change-agent.ts';
import { isDone } from '../../domain/job-states.ts';

export interface TakenJob {
  readonly tree: Tree;
  readonly job: Job;
  /** The secret of its own token. */
  readonly token: string;
}

/**
 * The agent accepts the job that it was offered; a repeat gives the same. `secret` is that of the agent's
 * own token. Throws `Refusal` where the job is not for it.
 */
export function acceptOffer(
  engine: EngineState,
  session: Session,
  jobId: string,
  secret: string,
): TakenJob {
  const isOffered = session.offer?.jobId === jobId;
  return take(engine, session, jobId, secret, () => isOffered);
}

/**
 * The agent asks for a job by its id, whoever else waits for one. Throws `Refusal`, and `NotYetError` for
 * a job that may come to be there.
 */
export function acquireJob(
  engine: EngineState,
  session: Session,
  jobId: string,
  secret: string,
): TakenJob {
  const found = engine.parts.store.builds.job(jobId)?.job;
  if (found?.type === 'script' && notYet.has(found.state)) throw new NotYetError(jobId);
  return take(engine, session, jobId, secret, (tree, job) => {
    const { organizationId, runsOn } = readDemand(
      demandOf(tree.build, job, tree.plan.steps[job.step]),
    );
    return runsOn !== 'slots' && organizationId === session.agent.organizationId;
  });
}

const notYet: ReadonlySet<JobState> = new Set(['waiting', 'limited']);

/** The job is not there yet: who wants it asks again. */
export class NotYetError extends Error {
  override readonly name = 'NotYetError';
  constructor(jobId: string) {
    super(`The job ${jobId} cannot run yet`);
  }
}

function take(
  engine: EngineState,
  session: Session,
  jobId: string,
  secret: string,
  mayTake: (tree: Tree, job: Job) => boolean,
): TakenJob {
  const { parts } = engine;
  const { agent } = session;
  const found = parts.store.builds.job(jobId);
  const before = found && parts.store.builds.tree(found.buildId);
  const job = before && findJob(before, jobId);
  if (before === undefined || job === undefined) throw unavailable(jobId);
  const ofAgent = { agentId: agent.id, secret: tokenFor(secret, jobId) };
  if (hasJob(job, agent.id) && job.state !== 'canceling') {
    return { tree: before, job, token: ofAgent.secret };
  }
  if (job.state !== 'scheduled' || session.job !== null || !mayTake(before, job))
    throw unavailable(jobId);
  const { id, name, createdAt } = agent;
  const tree = parts.store.transaction(() => {
    // It may have been with this agent before, or with another one.
    parts.store.accounts.removeTokensOfJob(jobId);
    issueJobToken(parts, before.build, jobId, ofAgent);
    return change(engine, before.build.id, (now) =>
      acceptJob(now, jobId, { id, name, createdAt, remote: true }, parts.clock.now()),
    );
  });
  // Readers find a log as soon as there is an agent; a disk may take a while for a new file.
  void parts.logs.append(jobId, '').catch(() => undefined);
  if (session.offer?.jobId === jobId) session.offer = null;
  else dropOffer(engine, session);
  const { organizationId } = tree.build;
  session.job = {
    ...{ id: jobId, buildId: tree.build.id, organizationId },
    ...{ deadline: null, unclaimedSince: null },
  };
  return { tree, job: findJob(tree, jobId) ?? job, token: ofAgent.secret };
}

/** Nobody but the agent can make it, and the agent gets the same one however often it asks. */
const tokenFor = (secret: string, jobId: string): string =>
  `cictl_job_${createHmac('sha256', secret).update(jobId).digest('hex').slice(0, 40)}`;

const unavailable = (jobId: string): Refusal =>
  new Refusal('invalid', `The job ${jobId} is not there for this agent`);

// A job with an agent that is a program of its own, from its beginning to its end.

export interface TakenBy {
  readonly agentId: string;
  readonly buildId: string;
  readonly jobId: string;
}

/** The agent begins with it. Throws `Refusal` where it is not, or no longer, for this agent. */
export function beginTakenJob(engine: EngineState, { agentId, buildId, jobId }: TakenBy): void {
  const { clock, newId } = engine.parts;
  const at = clock.now();
  const tree = change(engine, buildId, (before) => {
    const job = findJob(before, jobId);
    if (!hasJob(job, agentId)) return before;
    // It was canceled before it began: the agent drops it, and says no more of it.
    return job.state === 'canceling' && job.startedAt === null
      ? finishJob(before, jobId, canceled, at, newId)
      : beginJob(before, jobId, at);
  });
  const job = findJob(tree, jobId);
  const session = engine.sessions.get(agentId);
  const own = session?.job?.id === jobId ? session : undefined;
  if (!hasJob(job, agentId)) {
    if (own !== undefined) own.job = null;
    scheduleFill(engine);
    throw new Refusal('invalid', `The job ${jobId} is no longer wanted`);
  }
  if (own?.job) own.job.deadline = deadlineOf(tree, job).deadline;
}

const canceled: Outcome = {
  ...{ exitStatus: -1, signal: null, signalReason: 'cancel', timedOut: false },
};

/** Nothing where it has ended already: an agent repeats what it got no response to. */
export function endTakenJob(
  engine: EngineState,
  { agentId, buildId, jobId }: TakenBy,
  outcome: Outcome,
  isLast: boolean,
): void {
  const { clock, newId } = engine.parts;
  const session = engine.sessions.get(agentId);
  change(engine, buildId, (tree) =>
    hasJob(findJob(tree, jobId), agentId)
      ? finishJob(tree, jobId, outcome, clock.now(), newId)
      : tree,
  );
  if (session?.job?.id === jobId) session.job = null;
  if (session !== undefined && isLast) changeAgent(engine, session, { ignoreInDispatches: true });
  scheduleFill(engine);
}

/** Its code cannot be had, or its environment cannot be made: the log says why. */
export function refuseTakenJob(
  engine: EngineState,
  buildId: string,
  jobId: string,
  reason: unknown,
): void {
  const tree = engine.parts.store.builds.tree(buildId);
  const agentId = (tree && findJob(tree, jobId))?.agent?.id ?? '';
  const text = reason instanceof Error ? reason.message : String(reason);
  engine.parts.logs.appendNow(jobId, `The job could not be started: ${text}\n`);
  const outcome = { ...canceled, signalReason: 'process_run_error' } as const;
  engine.parts.store.transaction(() => {
    // As in a slot it has begun: a job that has not has no log for anybody.
    change(engine, buildId, (before) => beginJob(before, jobId, engine.parts.clock.now()));
    endTakenJob(engine, { agentId, buildId, jobId }, outcome, false);
  });
}

const minute = 60_000;

/** When a job has to be over by what its step says, and that nothing is amiss with it. */
export function deadlineOf(
  { plan }: Tree,
  job: Job,
): { readonly deadline: number | null; readonly unclaimedSince: null } {
  const step = plan.steps[job.step];
  const minutes = step?.type === 'command' ? step.timeoutInMinutes : null;
  const { state, startedAt } = job;
  const isLimited = minutes !== null && state === 'running' && startedAt !== null;
  return { deadline: isLimited ? startedAt + minutes * minute : null, unclaimedSince: null };
}

/** What an agent gets to know of its job when it asks: any other word means that it goes on. */
export function stateForAgent(job: Job | undefined, version: string): string {
  if (job === undefined || isDone(job)) return 'canceled';
  // Versions before 4 do not know the word.
  return job.state === 'timing_out' && /^[0-3]\./.test(version) ? 'canceling' : job.state;
}
