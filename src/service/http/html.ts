import { bytes, type RouteResponse } from './response.ts';

/** For a page that the user may not see, the error is the same as for a missing page. */
export function errorPage(
  status: number,
  reason: string,
  headers: RouteResponse['headers'],
): RouteResponse {
  const isHidden = status === 401 || status === 404;
  const html = isHidden
    ? page('Page not found', 'This page does not exist, or you do not have access to it.')
    : page('Request rejected', reason);
  const all = { ...headers, ...pageHeaders, 'content-type': 'text/html; charset=utf-8' };
  return bytes(all['content-type'], html, { status, headers: all });
}

const page = (title: string, text: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
</main>
</html>
`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

/** Headers of every page. Only our own scripts and styles are allowed, and nothing is cached. */
export const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; " +
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** Whether rendering is fast: the time grows with the square of the paired characters per block. */
export function isCheapMarkdown(source: string): boolean {
  if (source.length > mostCharacters) return false;
  return source.split(/\n[ \t]*\n/).every((block) => marksIn(block) <= mostMarks);
}

export const plainMarkdown = (source: string): string => `<pre>${escapeHtml(source)}</pre>`;

/** Counts characters that the renderer pairs or nests: emphasis, links, footnotes, quotes. */
function marksIn(block: string): number {
  let count = 0;
  for (let at = 0; at < block.length; at++) if ('*_~[]>'.includes(block.charAt(at))) count += 1;
  return count;
}

const mostCharacters = 256 * 1024;
const mostMarks = 4000;
