/** Reads pipeline files in a worker thread, so that the service stays responsive. */
import { CictlError, type ErrorKind } from '../../errors.ts';
import { type StartLimit, workerThread, type Crash } from '../worker-thread.ts';
import type { LoadOptions } from './load.ts';
import type { Plan } from './plan.ts';

export interface LoadRequest {
  readonly text: string;
  readonly options: LoadOptions;
  /** If set, requests the output of `fillIn` in this format instead of a plan. */
  readonly format?: 'json' | 'yaml';
}

/** Errors are sent as plain properties, because error objects lose their class between threads. */
export type LoadReply =
  | { readonly plan: Plan }
  | { readonly filled: string }
  | { readonly kind: ErrorKind; readonly message: string; readonly details: readonly string[] }
  | Crash;

const thread = workerThread<LoadReply>('load-worker.cjs');

/** Like `loadPipeline`, but also throws `usage` if the file takes too much time or memory. */
export async function loadPipelineOffThread(
  text: string,
  options: LoadOptions,
  startLimit?: StartLimit,
): Promise<Plan> {
  if (!thread.exists()) return (await import('./load.ts')).loadPipeline(text, options);
  const reply = await thread.ask({ text, options } satisfies LoadRequest, startLimit);
  if ('plan' in reply) return reply.plan;
  throw errorOf(reply, options);
}

export async function fillInOffThread(
  text: string,
  options: LoadOptions,
  format: 'json' | 'yaml',
): Promise<string> {
  if (!thread.exists()) return (await import('./load.ts')).fillIn(text, options, format);
  const reply = await thread.ask({ text, options, format } satisfies LoadRequest);
  if ('filled' in reply) return reply.filled;
  throw errorOf(reply, options);
}

function errorOf(reply: LoadReply, { file }: LoadOptions): CictlError {
  if ('kind' in reply) return new CictlError(reply.kind, reply.message, { details: reply.details });
  const reason = 'crash' in reply ? reply.crash : 'the worker thread returned an unexpected result';
  return new CictlError('usage', `cannot read the pipeline file ${file}: ${reason}`);
}
