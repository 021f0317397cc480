/** Pipeline files are read in a thread of their own, so that the service goes on answering. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { CictlError, type ErrorKind } from '../../errors.ts';
import { startTimer } from '../../timer.ts';
import type { LoadOptions } from './load.ts';
import type { Plan } from './plan.ts';

/** What the thread is asked. */
export interface LoadRequest {
  readonly text: string;
  readonly options: LoadOptions;
  /** Not the plan is wanted, but the file with its variables put in, as this. */
  readonly format?: 'json' | 'yaml';
}

/** What it sends back; an error loses its class on the way. */
export type LoadReply =
  | { readonly plan: Plan }
  | { readonly filled: string }
  | { readonly kind: ErrorKind; readonly message: string; readonly details: readonly string[] }
  | { readonly crash: string };

/**
 * Like `loadPipeline`, with the same errors, and `usage` also for a file that takes too long or more
 * memory than there is for it.
 */
export async function loadPipelineOffThread(
  text: string,
  options: LoadOptions,
  startLimit: StartLimit = tenSeconds,
): Promise<Plan> {
  if (!existsSync(program)) return (await import('./load.ts')).loadPipeline(text, options);
  const reply = await askThread({ text, options }, startLimit);
  if ('plan' in reply) return reply.plan;
  throw errorOf(reply, options);
}

/** Like `fillIn`, in the same way. */
export async function fillInOffThread(
  text: string,
  options: LoadOptions,
  format: 'json' | 'yaml',
): Promise<string> {
  if (!existsSync(program)) return (await import('./fill-in.ts')).fillIn(text, options, format);
  const reply = await askThread({ text, options, format }, tenSeconds);
  if ('filled' in reply) return reply.filled;
  throw errorOf(reply, options);
}

async function askThread(request: LoadRequest, startLimit: StartLimit): Promise<LoadReply> {
  const worker = idle ?? start();
  idle = undefined;
  worker.ref();
  const reply = await replyOf(worker, request, startLimit);
  await release(worker, !('crash' in reply));
  return reply;
}

function errorOf(reply: LoadReply, { file }: LoadOptions): CictlError {
  if ('kind' in reply) return new CictlError(reply.kind, reply.message, { details: reply.details });
  const reason = 'crash' in reply ? reply.crash : 'its thread gave something else';
  return new CictlError('usage', `the pipeline file ${file} cannot be read: ${reason}`);
}

/** Calls back when a file has been read for too long, unless it is stopped before. */
type StartLimit = (onOver: () => void) => { stop(): void };

const tenSeconds: StartLimit = (onOver) => startTimer(10_000, onOver);

/** Stands in the bundle alone: Node 20 runs no TypeScript in threads. */
const program = join(import.meta.dirname, 'load-worker.cjs');

/** A thread that has read a file reads the next. It does not hold the process. */
let idle: Worker | undefined;

async function release(worker: Worker, isSound: boolean): Promise<void> {
  if (!isSound || idle !== undefined) {
    await worker.terminate();
    return;
  }
  worker.unref();
  idle = worker;
}

const start = (): Worker =>
  new Worker(program, {
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });

async function replyOf(
  worker: Worker,
  request: LoadRequest,
  startLimit: StartLimit,
): Promise<LoadReply> {
  let limit: ReturnType<StartLimit> | undefined;
  try {
    return await new Promise<LoadReply>((resolve) => {
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
