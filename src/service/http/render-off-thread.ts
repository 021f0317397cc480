/** Long Markdown is rendered in a thread of its own, since a text of a megabyte takes a second. */
import { type StartLimit, workerThread } from '../worker-thread.ts';
import { plainMarkdown } from './html.ts';

/** What the thread sends back for a text. */
export interface Rendered {
  readonly html: string;
}

const thread = workerThread<string, Rendered>('markdown-worker.cjs');

/** Characters that are rendered at once: the worst of them take some milliseconds. */
const longestAtOnce = 2048;

/** Like `renderMarkdown`; what the thread cannot do in time is shown as the text that it is. */
export async function renderOffThread(source: string, startLimit?: StartLimit): Promise<string> {
  if (source.length <= longestAtOnce || !thread.exists())
    return (await import('./markdown.ts')).renderMarkdown(source);
  const reply = await inTurn(() => thread.ask(source, startLimit));
  return 'html' in reply ? reply.html : plainMarkdown(source);
}

/** One after another: a thread each would take the memory of all of them. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work);
  last = result;
  return result;
}

let last: Promise<unknown> = Promise.resolve();
