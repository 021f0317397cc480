/** Pipeline files are read in a thread of their own, so that the service goes on answering. */
import { CictlError, type ErrorKind } from '../../errors.ts';
import { type StartLimit, workerThread, type Crash } from '../worker-thread.ts';
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
  | Crash;

const thread = workerThread<LoadRequest, LoadReply>('load-worker.cjs');

/**
 * Like `loadPipeline`, with the same errors, and `usage` also for a file that takes too long or more
 * memory than there is for it.
 */
export async function loadPipelineOffThread(
  text: string,
  options: LoadOptions,
  startLimit?: StartLimit,
): Promise<Plan> {
  if (!thread.exists()) return (await import('./load.ts')).loadPipeline(text, options);
  const reply = await thread.ask({ text, options }, startLimit);
  if ('plan' in reply) return reply.plan;
  throw errorOf(reply, options);
}

/** Like `fillIn`, in the same way. */
export async function fillInOffThread(
  text: string,
  options: LoadOptions,
  format: 'json' | 'yaml',
): Promise<string> {
  if (!thread.exists()) return (await import('./load.ts')).fillIn(text, options, format);
  const reply = await thread.ask({ text, options, format });
  if ('filled' in reply) return reply.filled;
  throw errorOf(reply, options);
}

function errorOf(reply: LoadReply, { file }: LoadOptions): CictlError {
  if ('kind' in reply) return new CictlError(reply.kind, reply.message, { details: reply.details });
  const reason = 'crash' in reply ? reply.crash : 'its thread gave something else';
  return new CictlError('usage', `the pipeline file ${file} cannot be read: ${reason}`);
}
