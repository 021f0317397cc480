/** An agent that is a program of its own takes a job. */
import { createHmac } from 'node:crypto';
import { acceptJob, hasJob } from '../../domain/agent-jobs.ts';
import { findJob } from '../../domain/find-job.ts';
import { demandOf, readDemand } from '../../domain/demand.ts';
import type { Job, JobState, Tree } from '../../domain/records.ts';
import { Refusal } from '../../domain/refusal.ts';
import { change } from '../engine-change.ts';
import type { EngineState } from '../engine-state.ts';
import { issueJobToken } from '../job-token.ts';
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
