/** What the routes of jobs remember while the service runs. Jobs in slots end with it, and so do their locks. */
import type { ServiceContext } from '../../../service-context.ts';

export interface Lock {
  /** Empty where nobody has it. */
  readonly value: string;
  /** The job that has it; null for what is done for good. */
  readonly jobId: string | null;
}

interface Memory {
  readonly locks: Map<string, Lock>;
  /** Uploads that are being applied, by job and the id that the agent repeats. */
  readonly uploads: Map<string, Promise<void>>;
}

const memories = new WeakMap<ServiceContext, Memory>();

const noMemory = (): Memory => ({ locks: new Map(), uploads: new Map() });

/** Without what belonged to jobs that have ended. */
export function memoryOf(service: ServiceContext): Memory {
  const memory = memories.get(service) ?? noMemory();
  memories.set(service, memory);
  const running = new Set(service.engine.slots.map(({ jobId }) => jobId));
  for (const [key, { jobId }] of memory.locks)
    if (jobId !== null && !running.has(jobId)) memory.locks.delete(key);
  return memory;
}
