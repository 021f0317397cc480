/** The slots of this machine: agents that take one job at a time. */
import type { Agent } from '../domain/records.ts';
import type { Running } from '../runner-port.ts';

export interface Slot {
  readonly agent: Agent;
  /** The job that it has, null while it is idle. */
  jobId: string | null;
  /** Organization of that job. */
  organizationId: string | null;
  /** Its process; null while it is being prepared. */
  running: Running | null;
}

/** `count` idle slots, named `local-1` and so on. */
export const createSlots = (count: number, at: number, newId: () => string): Slot[] =>
  Array.from({ length: count }, (_, index) => ({
    agent: { id: newId(), name: `local-${index + 1}`, createdAt: at },
    jobId: null,
    organizationId: null,
    running: null,
  }));

export function clearSlot(slot: Slot): void {
  slot.jobId = null;
  slot.organizationId = null;
  slot.running = null;
}
