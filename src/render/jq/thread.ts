import { join } from 'node:path';
import { memoryUsage } from 'node:process';
import { Worker } from 'node:worker_threads';
import { onAbort } from '../../common/abort.ts';
import { CictlError } from '../../errors.ts';
import { startTimer } from '../../common/clock.ts';

/** What jq is to do. */
export interface JqJob {
  readonly input: string;
  readonly program: string;
  readonly flags: readonly string[];
}

/** How it ended by itself. */
export interface JqEnded {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What the thread sends back; `error`: the engine crashed, mostly out of memory. */
export type JqReply =
  | { readonly ended: JqEnded; readonly error?: undefined }
  | { readonly ended?: undefined; readonly error: string };

/**
 * Runs jq in a thread of its own and ends it when the signal does, with the reason of the signal.
 * Throws `CictlError` of kind `machine` where memory is not enough.
 */
export async function runJqInThread(job: JqJob, signal: AbortSignal | undefined): Promise<JqEnded> {
  signal?.throwIfAborted();
  const worker = idle ?? start();
  idle = undefined;
  worker.ref();
  try {
    const { ended, error } = await replyOf(worker, job, signal);
    if (ended === undefined) throw broken(error);
    worker.unref();
    idle = worker;
    return ended;
  } finally {
    if (idle !== worker) await worker.terminate();
  }
}

/** A thread that has done its job takes the next: a list may have thousands of elements. */
let idle: Worker | undefined;

/** What the engine prints when it crashes is no message of ours. */
const start = (): Worker =>
  new Worker(join(import.meta.dirname, 'jq-worker.cjs'), {
    ...{ stdout: true, stderr: true },
    // It passes texts on, and without a limit lets 30 MB of them lie.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  });

async function replyOf(
  worker: Worker,
  job: JqJob,
  signal: AbortSignal | undefined,
): Promise<JqReply> {
  const end = new AbortController();
  const limit = memoryUsage.rss() + maxMemory;
  try {
    return await new Promise<JqReply>((resolve, reject) => {
      const ignore = onAbort(signal, reject);
      onAbort(end.signal, ignore);
      watchMemory(limit, end.signal, () => resolve({ error: 'out of memory' }));
      worker.once('message', resolve);
      worker.once('error', ({ message }) => resolve({ error: message }));
      worker.once('exit', () => resolve({ error: 'the thread has ended' }));
      worker.postMessage(job);
    });
  } finally {
    end.abort();
    // Those of the thread itself stay.
    for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
  }
}

/** Checks ten times a second, until the signal. */
function watchMemory(limit: number, signal: AbortSignal, onOver: () => void): void {
  const poll = (): void => {
    if (signal.aborted) return;
    if (memoryUsage.rss() > limit) onOver();
    else timer = startTimer(100, poll);
  };
  let timer = startTimer(100, poll);
  signal.addEventListener('abort', () => timer.stop());
}

/** Bytes: more than any response needs that still fits into a text. */
const maxMemory = 3 * 1024 ** 3;

function broken(error: string): CictlError {
  const isMemory = /abort|memory|alloc|length|longer|unreachable/i.test(error);
  const reason = isMemory ? 'memory is not enough for its program or its data' : error;
  return new CictlError('machine', `--jq broke off: ${reason}`);
}
