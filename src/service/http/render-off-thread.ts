import { type StartLimit, workerThread } from '../worker-thread.ts';
import { plainMarkdown } from './html.ts';

export interface Rendered {
  readonly html: string;
}

const thread = workerThread<Rendered>('markdown-worker.cjs');

/** Text of up to this many characters is rendered in this thread, within a few milliseconds. */
const longestAtOnce = 2048;

/** Renders long text in a worker thread. If that fails, returns the source as plain text. */
export async function renderOffThread(source: string, startLimit?: StartLimit): Promise<string> {
  if (source.length <= longestAtOnce || !thread.exists())
    return (await import('./markdown.ts')).renderMarkdown(source);
  // Only renders one text at a time, to limit memory use.
  const result = last.then(() => thread.ask(source, startLimit));
  last = result;
  const reply = await result;
  return 'html' in reply ? reply.html : plainMarkdown(source);
}

let last: Promise<unknown> = Promise.resolve();
