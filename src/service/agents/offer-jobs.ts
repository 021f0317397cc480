/** Gives scheduled jobs to agents that wait for one. */
import { meets, readDemand, type Demand } from '../domain/demand.ts';
import type { EngineState } from '../scheduler/engine-state.ts';
import { isEarlier, type WaitingJob } from '../store/waiting-jobs.ts';
import { isFree, type Session } from './session.ts';

/** Each job to one agent, the agents of the highest priority first; nothing is written down. */
export function offerJobs(engine: EngineState): void {
  const waiting = [...engine.sessions.values()].filter(
    (session) => session.ping !== null && isFree(session),
  );
  if (waiting.length === 0) return;
  waiting.sort((a, b) => b.agent.priority - a.agent.priority);
  const queues = openQueues(engine, waiting.length);
  for (const session of waiting) {
    const next = takeFirst(queues.filter(({ demand }) => fits(session, demand)));
    if (next === undefined) continue;
    const { buildId, job } = next;
    session.offer = { jobId: job.id, buildId, at: engine.parts.clock.now() };
    engine.offered.add(job.id);
    session.ping?.({ job: { id: job.id } });
  }
}

interface Queue {
  readonly demand: Demand;
  readonly jobs: WaitingJob[];
}

/** The first jobs of each demand that no agent has been offered. */
function openQueues({ parts, demands, offered }: EngineState, count: number): Queue[] {
  return [...demands].flatMap((text) => {
    const demand = readDemand(text);
    if (demand.runsOn === 'slots') return [];
    const found = parts.store.waitingJobs.next(text, count + offered.size);
    if (found.length === 0) demands.delete(text);
    return [{ demand, jobs: found.filter(({ job }) => !offered.has(job.id)) }];
  });
}

const fits = ({ agent }: Session, { organizationId, rules }: Demand): boolean =>
  agent.organizationId === organizationId && meets(agent.tags, rules);

function takeFirst(queues: readonly Queue[]): WaitingJob | undefined {
  let first: Queue | undefined;
  for (const queue of queues) {
    const [head] = queue.jobs;
    const best = first?.jobs[0];
    if (head !== undefined && (best === undefined || isEarlier(head, best))) first = queue;
  }
  return first?.jobs.shift();
}
