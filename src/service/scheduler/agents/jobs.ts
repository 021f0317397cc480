/** Handles the jobs of agents, from the offer (which is not stored) to the end of the job. */
import { createHmac } from 'node:crypto';
import { meets, readDemand, type Demand } from '../../domain/agents.ts';
import { findJob } from '../../domain/find-job.ts';
import { acceptJob, beginJob, finishJob, hasJob } from '../../domain/job-lifecycle.ts';
import { isDone } from '../../domain/job-states.ts';
import type { Job, Tree } from '../../domain/records.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Outcome } from '../../runner-port.ts';
import { isEarlier, type WaitingJob } from '../../store/tables/jobs.ts';
import type { EngineState, Session } from '../engine-state.ts';
import { issueJobToken } from '../job-spec.ts';
import { dropOffer } from './change-agent.ts';

/**
 * Offers each new job to one agent, in order of the agents' priorities. If no agent can take a job
 * now, the job is next considered when an agent polls (`offerTo`).
 */
export function offerJobs(engine: EngineState): void {
  const { news } = engine;
  if (news.size === 0) return;
  const waiting = [...engine.sessions.values()].filter(isWaiting);
  const queues = [...news]
    .filter((text) => waiting.some((session) => fits(session, readDemand(text))))
    .map((text) => openQueue(engine, text, waiting.length));
  news.clear();
  if (queues.every(({ jobs }) => jobs.length === 0)) return;
  waiting.sort((a, b) => b.agent.priority - a.agent.priority);
  for (const session of waiting) offer(engine, session, queues);
}

/** Offers the first suitable job to an agent that has just polled. */
export function offerTo(engine: EngineState, session: Session): void {
  if (engine.phase !== 'running' || !isWaiting(session)) return;
  const demands = [...engine.demands].filter((text) => fits(session, readDemand(text)));
  const queues = demands.map((text) => openQueue(engine, text, 1));
  offer(engine, session, queues);
}

const isWaiting = ({ agent, job, offer: offered, ping }: Session): boolean =>
  ping !== null &&
  agent.state === 'connected' &&
  !agent.ignoreInDispatches &&
  agent.stop === null &&
  agent.pause === null &&
  job === null &&
  offered === null;

const fits = ({ agent }: Session, { organizationId, runsOn, rules }: Demand): boolean =>
  runsOn !== 'slots' && agent.organizationId === organizationId && meets(agent.tags, rules);

interface Queue {
  readonly text: string;
  readonly demand: Demand;
  readonly jobs: WaitingJob[];
}

/** Returns the first jobs with this demand that are not offered to any agent yet. */
function openQueue({ store, demands, offered }: EngineState, text: string, count: number): Queue {
  const found = store.waitingJobs.next(text, count + offered.size);
  if (found.length === 0) demands.delete(text);
  const jobs = found.filter(({ job }) => !offered.has(job.id));
  return { text, demand: readDemand(text), jobs };
}

function offer(engine: EngineState, session: Session, queues: readonly Queue[]): void {
  const queue = firstOf(queues.filter(({ demand }) => fits(session, demand)));
  const next = queue?.jobs.shift();
  if (queue === undefined || next === undefined) return;
  const { buildId, job } = next;
  session.offer = { jobId: job.id, buildId, demand: queue.text, at: engine.clock.now() };
  engine.offered.add(job.id);
  session.ping?.({ job: { id: job.id } });
}

/** Returns the queue whose first job is the earliest. */
function firstOf(queues: readonly Queue[]): Queue | undefined {
  let first: Queue | undefined;
  for (const queue of queues) {
    const [head] = queue.jobs;
    const best = first?.jobs[0];
    if (head !== undefined && (best === undefined || isEarlier(head, best))) first = queue;
  }
  return first;
}

export interface TakenJob {
  readonly tree: Tree;
  readonly job: Job;
  /** Secret of the job's own token. */
  readonly token: string;
}

/** Thrown to tell the agent to retry later. */
export class NotYetError extends Error {
  override readonly name = 'NotYetError';
  constructor(jobId: string) {
    super(`Job ${jobId} cannot run yet`);
  }
}

/**
 * Gives a scheduled job to an agent if `mayTake` allows it. Idempotent. `secret` is the secret of
 * the agent's own token. Throws `Refusal`.
 */
export function takeJob(
  engine: EngineState,
  session: Session,
  jobId: string,
  secret: string,
  mayTake: (tree: Tree, job: Job) => boolean,
): TakenJob {
  const { parts, store, clock } = engine;
  const { id: agentId, name, createdAt } = session.agent;
  const found = store.builds.job(jobId);
  const before = found && store.builds.tree(found.buildId);
  const job = before && findJob(before, jobId);
  if (before === undefined || job === undefined) throw unavailable(jobId);
  const token = tokenFor(secret, jobId);
  if (hasJob(job, agentId) && job.state !== 'canceling') return { tree: before, job, token };
  if (job.state !== 'scheduled' || session.job !== null || !mayTake(before, job))
    throw unavailable(jobId);
  const tree = store.transaction(() => {
    // The job may already have a token, issued for this agent or for another agent.
    store.accounts.removeTokensOfJob(jobId);
    issueJobToken(parts, before.build, jobId, { agentId, secret: token });
    const agent = { id: agentId, name, createdAt, remote: true } as const;
    return engine.change(before.build.id, (now) => acceptJob(now, jobId, agent, clock.now()));
  });
  // Every accepted job must have a log. Not awaited, because creating a file can be slow.
  void parts.logs.append(jobId, '').catch(() => undefined);
  if (session.offer?.jobId === jobId) session.offer = null;
  else dropOffer(engine, session);
  const { id: buildId, organizationId } = tree.build;
  session.job = { id: jobId, buildId, organizationId, deadline: null, unclaimedSince: null };
  return { tree, job: findJob(tree, jobId) ?? job, token };
}

/** Derived from the agent's secret, so that a repeated request gets the same token. */
const tokenFor = (secret: string, jobId: string): string =>
  `cictl_job_${createHmac('sha256', secret).update(jobId).digest('hex').slice(0, 40)}`;

const unavailable = (jobId: string): Refusal =>
  new Refusal('invalid', `Job ${jobId} is not available to this agent`);

export interface TakenBy {
  readonly agentId: string;
  readonly buildId: string;
  readonly jobId: string;
}

/** Throws `Refusal` if the agent does not have the job, or has lost it. */
export function beginTakenJob(engine: EngineState, { agentId, buildId, jobId }: TakenBy): void {
  const { clock, newId } = engine.parts;
  const at = clock.now();
  const tree = engine.change(buildId, (before) => {
    const job = findJob(before, jobId);
    if (!hasJob(job, agentId)) return before;
    // If a job is canceled before it starts, the agent drops it without reporting its end.
    return job.state === 'canceling' && job.startedAt === null
      ? finishJob(before, jobId, canceled, at, newId)
      : beginJob(before, jobId, at);
  });
  const job = findJob(tree, jobId);
  const session = engine.sessions.get(agentId);
  const own = session?.job?.id === jobId ? session : undefined;
  if (!hasJob(job, agentId)) {
    if (own !== undefined) own.job = null;
    throw new Refusal('invalid', `Job ${jobId} is no longer needed`);
  }
  if (own?.job) own.job.deadline = deadlineOf(tree, job);
}

const canceled: Outcome = {
  ...{ exitStatus: -1, signal: null, signalReason: 'cancel', timedOut: false },
};

/** Does nothing if the job has ended, because agents repeat requests that got no response. */
export function endTakenJob(
  engine: EngineState,
  { agentId, buildId, jobId }: TakenBy,
  outcome: Outcome,
): void {
  const { clock, newId } = engine.parts;
  engine.change(buildId, (tree) =>
    hasJob(findJob(tree, jobId), agentId)
      ? finishJob(tree, jobId, outcome, clock.now(), newId)
      : tree,
  );
  const session = engine.sessions.get(agentId);
  if (session?.job?.id === jobId) session.job = null;
}

/** Fails a job whose source code is unavailable or whose environment cannot be created. */
export function refuseTakenJob(
  engine: EngineState,
  buildId: string,
  jobId: string,
  reason: unknown,
): void {
  const { parts, store, clock } = engine;
  const tree = store.builds.tree(buildId);
  const agentId = (tree && findJob(tree, jobId))?.agent?.id ?? '';
  const text = reason instanceof Error ? reason.message : String(reason);
  parts.logs.appendNow(jobId, `The job could not be started: ${text}\n`);
  store.transaction(() => {
    // Starts the job first, because the log of a job that never started is not shown.
    engine.change(buildId, (before) => beginJob(before, jobId, clock.now()));
    const outcome = { ...canceled, signalReason: 'process_run_error' } as const;
    endTakenJob(engine, { agentId, buildId, jobId }, outcome);
  });
}

export function deadlineOf({ plan }: Tree, { step, state, startedAt }: Job): number | null {
  const planned = plan.steps[step];
  const minutes = planned?.type === 'command' ? planned.timeoutInMinutes : null;
  return minutes !== null && state === 'running' && startedAt !== null
    ? startedAt + minutes * 60_000
    : null;
}

/** Returns the state to report to an agent that polls its job. */
export function stateForAgent(job: Job | undefined, version: string): string {
  if (job === undefined || isDone(job)) return 'canceled';
  // Agents before version 4 do not support `timing_out`.
  return job.state === 'timing_out' && /^[0-3]\./.test(version) ? 'canceling' : job.state;
}
