/** What a browser is refused where no page is made: text alone. */
import { pageHeaders } from './page-headers.ts';
import { bytes, type RouteResponse } from './response.ts';

/** What is not there, and what is not for this caller, look the same; other errors have a reason. */
export function errorPage(
  status: number,
  reason: string,
  headers: RouteResponse['headers'],
): RouteResponse {
  const isHidden = status === 401 || status === 404;
  const html = isHidden
    ? page('No such page', 'There is no such page, or it is not open to you.')
    : page('Refused', reason);
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

/** Text as HTML and XML show it. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
