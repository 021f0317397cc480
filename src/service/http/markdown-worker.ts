// Worker thread that renders long Markdown.
import { parentPort } from 'node:worker_threads';
import { renderMarkdown } from './markdown.ts';
import type { Rendered } from './render-off-thread.ts';

parentPort?.on('message', (source: string) => {
  const rendered: Rendered = { html: renderMarkdown(source) };
  parentPort?.postMessage(rendered);
});
