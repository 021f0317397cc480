import { parentPort } from 'node:worker_threads';
import { CictlError } from '../../errors.ts';
import { fillIn, loadPipeline } from './load.ts';
import type { LoadReply, LoadRequest } from './load-off-thread.ts';

parentPort?.on('message', (request: LoadRequest) => parentPort?.postMessage(replyTo(request)));

function replyTo({ text, options, format }: LoadRequest): LoadReply {
  try {
    if (format !== undefined) return { filled: fillIn(text, options, format) };
    return { plan: loadPipeline(text, options) };
  } catch (error) {
    if (!(error instanceof CictlError)) return { crash: String(error) };
    return { kind: error.kind, message: error.message, details: error.details };
  }
}
