import { join } from 'node:path';
import { memoryUsage } from 'node:process';
import { Worker } from 'node:worker_threads';
import { onAbort } from '../../common/abort.ts';
import { systemClock } from '../../common/clock.ts';
import { CictlError } from '../../errors.ts';

export interface JqJob {
  readonly input: string;
  readonly program: string;
  readonly flags: readonly string[];
}

export interface JqOutput {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `error` is set if the engine crashed, usually because it ran out of memory. */
export type JqReply =
  | { readonly output: JqOutput; readonly error?: undefined }
  | { readonly output?: undefined; readonly error: string };

/**
 * Runs jq in a thread. The thread is terminated if the signal is aborted or memory runs out (a
 * `CictlError` of kind `machine`).
 */
export async function runJqInThread(
  job: JqJob,
  signal: AbortSignal | undefined,
): Promise<JqOutput> {
  signal?.throwIfAborted();
  const worker = idle ?? startWorker();
  idle = undefined;
  worker.ref();
  try {
    const { output, error } = await replyOf(worker, job, signal);
    if (output === undefined) throw crash(error);
    worker.unref();
    idle = worker;
    return output;
  } finally {
    if (idle !== worker) await worker.terminate();
  }
}

/** The thread is reused, because a list may require thousands of runs. */
let idle: Worker | undefined;

const startWorker = (): Worker =>
  new Worker(join(import.meta.dirname, 'jq-worker.cjs'), {
    // Hides the messages of an engine that crashes.
    ...{ stdout: true, stderr: true },
    // By default, 30 MB of garbage would accumulate.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  });

async function replyOf(
  worker: Worker,
  job: JqJob,
  signal: AbortSignal | undefined,
): Promise<JqReply> {
  const done = new AbortController();
  try {
    return await new Promise<JqReply>((resolve, reject) => {
      onAbort(done.signal, onAbort(signal, reject));
      onLowMemory(done.signal, () => resolve({ error: 'out of memory' }));
      worker.once('message', resolve);
      worker.once('error', ({ message }) => resolve({ error: message }));
      worker.once('exit', () => resolve({ error: 'its thread exited' }));
      worker.postMessage(job);
    });
  } finally {
    done.abort();
    for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
  }
}

/** Checks the memory ten times a second until `done` is aborted. */
function onLowMemory(done: AbortSignal, act: () => void): void {
  const limit = memoryUsage.rss() + maxMemory;
  const poll = async (): Promise<void> => {
    while (memoryUsage.rss() < limit) await systemClock.sleep(100, done);
    act();
  };
  poll().catch(() => undefined);
}

/** In bytes. No response that fits into a string needs more. */
const maxMemory = 3 * 1024 ** 3;

function crash(error: string): CictlError {
  const isMemory = /abort|memory|alloc|length|longer|unreachable/i.test(error);
  const reason = isMemory ? 'not enough memory for the program or its data' : error;
  return new CictlError('machine', `--jq stopped unexpectedly: ${reason}`);
}
