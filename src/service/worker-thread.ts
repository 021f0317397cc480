/** Work in a thread of its own, so that the service goes on answering. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { cpuUsage } from 'node:process';
import { startTimer } from '../common/clock.ts';

/** What comes in place of a reply where the thread gave none. */
export interface Crash {
  readonly crash: string;
}

interface WorkerThread<Request, Reply> {
  /** Whether the program is there: from source, and in the single executable, it is not. */
  exists(): boolean;
  /** Never rejects. A thread answers one request; who asks meanwhile gets another. */
  ask(request: Request, startLimit?: StartLimit): Promise<Reply | Crash>;
}

/** @param file of the bundle: Node 20 runs no TypeScript in threads */
export function workerThread<Request, Reply>(file: string): WorkerThread<Request, Reply> {
  const program = join(import.meta.dirname, file);
  // A thread that has done its work does the next. It does not hold the process.
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
    exists: () => existsSync(program),
    ask: async (request, startLimit = startThreadLimit) => {
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
      limit = startLimit(() => crash('it takes longer than 10 s'));
      worker.once('message', resolve);
      worker.once('error', ({ message }) => crash(message));
      worker.once('exit', () => crash('its thread has ended'));
      worker.postMessage(request);
    });
  } finally {
    limit?.stop();
    // Those of the thread itself stay.
    for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
  }
}

/** Calls back when work has taken too long, unless it is stopped before. */
export type StartLimit = (onOver: () => void) => { stop(): void };

/** Milliseconds that a thread may take for its work, of a clock and of a processor. */
const limit = 10_000;
/** So often it is looked at; a thread that does nothing at all is given up by then. */
const looks = 60;

/** What measures: milliseconds of the processors that this process has used, and a timer. */
interface Measures {
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

/**
 * Ten seconds, on a machine that has a processor for it: where many wait for one, sound input takes
 * longer, and the processors say how much of it has been done.
 */
export function startThreadLimit(
  onOver: () => void,
  measures: Measures = system,
): { stop(): void } {
  const before = measures.used();
  let timer = { stop: (): void => undefined };
  const look = (left: number, ms: number): void => {
    timer = measures.startTimer(ms, () => {
      const missing = limit - (measures.used() - before);
      if (left === 0 || missing <= 0) onOver();
      else look(left - 1, Math.max(missing, 1000));
    });
  };
  look(looks, limit);
  return { stop: () => timer.stop() };
}
