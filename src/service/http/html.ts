/** Small pages for a browser: text alone, nothing that acts, nothing from elsewhere. */
import { bytes, type RouteResponse } from './response.ts';

export interface Page {
  readonly title: string;
  readonly text: string;
  /** Shows more, in a terminal. */
  readonly command?: string;
}

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:4em auto;padding:0 1em}' +
  'code{background:#eee;color:#111;padding:.2em .4em}';

export const htmlPage = (
  page: Page,
  status = 200,
  headers: RouteResponse['headers'] = {},
): RouteResponse =>
  bytes('text/html; charset=utf-8', document(page), {
    status,
    headers: { 'content-security-policy': quiet, 'cache-control': 'no-store', ...headers },
  });

/** For responses that a browser may open by themselves. */
export const quiet = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** What is not there, and what is not for this caller, look the same; other faults have a reason. */
export function errorPage(
  status: number,
  reason: string,
  headers: RouteResponse['headers'],
): RouteResponse {
  const text = 'There is no such page, or it is not open to you.';
  const page = isHidden(status)
    ? { title: 'No such page', text }
    : { title: 'Refused', text: reason };
  return htmlPage(page, status, { ...headers, 'content-type': 'text/html; charset=utf-8' });
}

const isHidden = (status: number): boolean => status === 401 || status === 404;

function document({ title, text, command }: Page): string {
  const more = command === undefined ? '' : `<p><code>${escapeHtml(command)}</code></p>\n`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${more}</html>
`;
}

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
