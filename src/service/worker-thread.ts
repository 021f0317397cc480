/** Runs long computations in a thread, so that the service can handle other requests. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { cpuUsage } from 'node:process';
import { startTimer } from '../common/clock.ts';

/** Returned if the thread did not reply. `crash` is the reason. */
export interface Crash {
  readonly crash: string;
}

/** @param file name of a file in the bundle, because Node 20 cannot run TypeScript in threads */
export function workerThread<Reply>(file: string) {
  const program = join(import.meta.dirname, file);
  // An idle thread is kept for the next request. It does not keep the process alive.
  let idle: Worker | undefined;
  async function release(worker: Worker, isSound: boolean): Promise<void> {
    if (!isSound || idle !== undefined) {
      await worker.terminate();
      return;
    }
    worker.unref();
    idle = worker;
  }
  return {
    /** Whether the file exists; false when running from source or in the single executable. */
    exists: () => existsSync(program),
    /** Never rejects. A concurrent request uses another thread. */
    ask: async (request: unknown, startLimit = startThreadLimit): Promise<Reply | Crash> => {
      const worker = idle ?? start(program);
      idle = undefined;
      worker.ref();
      const reply = await replyOf<Reply>(worker, request, startLimit);
      await release(worker, !isCrash(reply));
      return reply;
    },
  };
}

const start = (program: string): Worker =>
  new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: 1024 } });

const isCrash = (reply: unknown): reply is Crash =>
  typeof reply === 'object' && reply !== null && 'crash' in reply;

async function replyOf<Reply>(
  worker: Worker,
  request: unknown,
  startLimit: StartLimit,
): Promise<Reply | Crash> {
  let limit: ReturnType<StartLimit> | undefined;
  try {
    return await new Promise<Reply | Crash>((resolve) => {
      const crash = (reason: string): void => resolve({ crash: reason });
      limit = startLimit(() => crash('it took longer than 10 s'));
      worker.once('message', resolve);
      worker.once('error', ({ message }) => crash(message));
      worker.once('exit', () => crash('its thread stopped unexpectedly'));
      worker.postMessage(request);
    });
  } finally {
    limit?.stop();
    // `removeAllListeners()` would also remove Node's own listeners.
    for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
  }
}

/** Starts a time limit. Calls `onOver` if the work takes too long. */
export type StartLimit = (onOver: () => void) => { stop(): void };

/** CPU time limit of a request in milliseconds. The first check takes place after this time. */
const limit = 10_000;
/** Maximum number of checks, in case the thread gets no CPU time. */
const checks = 60;

interface Measures {
  /** Milliseconds of CPU time that this process has used. */
  readonly used: () => number;
  readonly startTimer: (ms: number, onOver: () => void) => { stop(): void };
}

const system: Measures = {
  used() {
    const { user, system: kernel } = cpuUsage();
    return (user + kernel) / 1000;
  },
  startTimer,
};

/** Limits the CPU time to ten seconds. Limiting elapsed time would be unfair on a busy machine. */
export function startThreadLimit(
  onOver: () => void,
  measures: Measures = system,
): { stop(): void } {
  const before = measures.used();
  let timer = { stop: (): void => undefined };
  const check = (left: number, ms: number): void => {
    timer = measures.startTimer(ms, () => {
      const missing = limit - (measures.used() - before);
      if (left === 0 || missing <= 0) onOver();
      else check(left - 1, Math.max(missing, 1000));
    });
  };
  check(checks, limit);
  return { stop: () => timer.stop() };
}
