/** A job with an agent that is a program of its own, from its acceptance to its end. */
import { createHmac } from 'node:crypto';
import { acceptJob, beginJob, hasJob } from '../../domain/agent-jobs.ts';
import { findJob } from '../../domain/find-job.ts';
import { finishJob } from '../../domain/job-lifecycle.ts';
import { isDone } from '../../domain/job-states.ts';
import { demandOf, readDemand } from '../../domain/demand.ts';
import type { Job, Tree } from '../../domain/records.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Outcome } from '../../runner-port.ts';
import { change } from '../engine-change.ts';
import { scheduleFill } from '../engine-fill.ts';
import type { EngineState } from '../engine-state.ts';
import { issueJobToken } from '../job-token.ts';
import { changeAgent } from './change-agent.ts';
import { deadlineOf } from './deadline.ts';
import { dropOffer } from './leave-job.ts';
import type { Session } from './session.ts';

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

/** The agent asks for a job by its id, whoever else waits for one. Throws `Refusal`. */
export function acquireJob(
  engine: EngineState,
  session: Session,
  jobId: string,
  secret: string,
): TakenJob {
  return take(engine, session, jobId, secret, (tree, job) => {
    const { organizationId, runsOn } = readDemand(
      demandOf(tree.build, job, tree.plan.steps[job.step]),
    );
    return runsOn !== 'slots' && organizationId === session.agent.organizationId;
  });
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
  // Readers find a log as soon as there is an agent.
  parts.logs.appendNow(jobId, '');
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

/** The agent begins with it. Throws `Refusal` where nobody wants it any more. */
export function beginTakenJob(engine: EngineState, buildId: string, jobId: string): void {
  const { clock, newId } = engine.parts;
  const at = clock.now();
  const tree = change(engine, buildId, (before) => {
    const job = findJob(before, jobId);
    // It was canceled before it began: the agent drops it, and says no more of it.
    return job?.state === 'canceling' && job.startedAt === null
      ? finishJob(before, jobId, canceled, at, newId)
      : beginJob(before, jobId, at);
  });
  const job = findJob(tree, jobId);
  const session = sessionOf(engine, job);
  if (job === undefined || isDone(job)) {
    if (session !== undefined) session.job = null;
    scheduleFill(engine);
    throw new Refusal('invalid', `The job ${jobId} is no longer wanted`);
  }
  if (session?.job?.id === jobId) session.job.deadline = deadlineOf(tree, job).deadline;
}

const canceled: Outcome = {
  ...{ exitStatus: -1, signal: null, signalReason: 'cancel', timedOut: false },
};

export interface TakenBy {
  readonly agentId: string;
  readonly buildId: string;
  readonly jobId: string;
}

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
  endTakenJob(engine, { agentId, buildId, jobId }, outcome, false);
}

const sessionOf = ({ sessions }: EngineState, job: Job | undefined): Session | undefined =>
  sessions.get(job?.agent?.id ?? '');

/** What an agent gets to know of its job when it asks: any other word means that it goes on. */
export function stateForAgent(job: Job | undefined, version: string): string {
  if (job === undefined || isDone(job)) return 'canceled';
  // Versions before 4 do not know the word.
  return job.state === 'timing_out' && /^[0-3]\./.test(version) ? 'canceling' : job.state;
}
