import { escapeHtml } from './html.ts';

/**
 * Whether Markdown can be rendered in a moment. The renderer takes time by the square of the marks
 * that may pair up within one block, and others wait for it.
 */
export function isCheapMarkdown(source: string): boolean {
  if (source.length > mostCharacters) return false;
  return source.split(/\n[ \t]*\n/).every((block) => marksIn(block) <= mostMarks);
}

/** Markdown as the text that it is. */
export const plainMarkdown = (source: string): string => `<pre>${escapeHtml(source)}</pre>`;

/** Emphasis, strikethrough, links, footnotes and quotes: what the renderer tries to pair or to nest. */
function marksIn(block: string): number {
  let count = 0;
  for (let at = 0; at < block.length; at++) if ('*_~[]>'.includes(block.charAt(at))) count += 1;
  return count;
}

/** Of text in which every line is a block of its own, this much takes about a second. */
const mostCharacters = 256 * 1024;
const mostMarks = 4000;
