import { meets, type Demand } from '../../domain/demand.ts';
import type { EngineState } from '../engine-state.ts';
import { slotsMeet } from '../next-for-slots.ts';

/** Whether somebody who is there may take such jobs, be it later: one that is paused may. */
export function isServed(engine: EngineState, demand: Demand): boolean {
  if (engine.slots.length > 0 && slotsMeet(engine, demand)) return true;
  const { organizationId, runsOn, rules } = demand;
  if (runsOn === 'slots') return false;
  return [...engine.sessions.values()].some(
    ({ agent }) =>
      agent.state === 'connected' &&
      agent.stop === null &&
      !agent.ignoreInDispatches &&
      agent.organizationId === organizationId &&
      meets(agent.tags, rules),
  );
}
