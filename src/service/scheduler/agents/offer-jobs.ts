/** Offers scheduled jobs to agents that wait for one. Offers are not stored. */
import { meets, readDemand, type Demand } from '../../domain/agents.ts';
import { isEarlier, type WaitingJob } from '../../store/tables/waiting-jobs.ts';
import type { EngineState } from '../engine-state.ts';
import type { Session } from './session.ts';

/**
 * Offers the new jobs, each to one agent, by descending priority of the agents. Jobs that no agent
 * takes now are not considered again until an agent asks (`offerTo`).
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

/** Offers an agent that has just asked the first of all jobs that fit. */
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

/** The first jobs of a demand that no agent has been offered. */
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

/** The queue with the earliest job. */
function firstOf(queues: readonly Queue[]): Queue | undefined {
  let first: Queue | undefined;
  for (const queue of queues) {
    const [head] = queue.jobs;
    const best = first?.jobs[0];
    if (head !== undefined && (best === undefined || isEarlier(head, best))) first = queue;
  }
  return first;
}
