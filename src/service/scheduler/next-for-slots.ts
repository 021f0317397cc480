import { meets, readDemand, type Demand } from '../domain/demand.ts';
import { isConnected } from '../domain/remote-agent.ts';
import { isEarlier, type WaitingJob } from '../store/waiting-jobs.ts';
import type { EngineState } from './engine-state.ts';

/** The job that gets the next free slot of this machine. */
export function nextForSlots(engine: EngineState): WaitingJob | undefined {
  let first: WaitingJob | undefined;
  for (const text of engine.demands) {
    if (!slotsMeet(engine, readDemand(text))) continue;
    const next = nextOf(engine, text);
    if (next !== undefined && (first === undefined || isEarlier(next, first))) first = next;
  }
  return first;
}

function nextOf({ parts, offered, demands }: EngineState, demand: string): WaitingJob | undefined {
  const found = parts.store.waitingJobs.next(demand, offered.size + 1);
  if (found.length === 0) demands.delete(demand);
  return found.find(({ job }) => !offered.has(job.id));
}

/**
 * Whether the slots take such jobs: where the organization has no agents of its own, and nobody said
 * what the slots are for, all.
 */
export function slotsMeet(
  { parts, sessions }: Pick<EngineState, 'parts' | 'sessions'>,
  { organizationId, runsOn, rules }: Demand,
): boolean {
  if (runsOn !== 'any') return runsOn === 'slots';
  if (parts.tags === undefined && !hasAgents(sessions, organizationId)) return true;
  return meets(parts.tags ?? ['queue=default'], rules);
}

/** Without a copy: there may be thousands of agents, and each change asks. */
function hasAgents(sessions: EngineState['sessions'], organizationId: string): boolean {
  for (const { agent } of sessions.values()) {
    if (agent.organizationId === organizationId && isConnected(agent)) return true;
  }
  return false;
}
