import { hidden } from '../hidden.ts';
import { toBytes } from '../text.ts';
import { escapeHtml } from './escape.ts';
import { background, foreground } from './span.ts';

/**
 * The beginning and the end of the page. The policy forbids every script and every load, so that
 * nothing happens even where a browser reads markup in a way that nobody thought of.
 */
export const pageStart = (title: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<title>${toBytes(escapeHtml(title.replace(controls, ' ').replace(hidden, '')))}</title>
<style>${style}</style>
</head>
<body>
<main>
`;

const controls = /[\x00-\x1f\x7f-\x9f]/g;

export const pageEnd = '</main>\n</body>\n</html>\n';

const style = `
body { margin: 0; background: ${background}; color: ${foreground}; }
main { font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace; padding: 8px 0; }
main div, summary { white-space: pre-wrap; overflow-wrap: anywhere; padding: 0 12px; tab-size: 8; min-height: 1.5em; }
main div:target, summary:target { background: #333; }
main div > a:first-child, summary > a { display: inline-block; min-width: 5ch; margin-right: 1ch; text-align: right; color: #777; text-decoration: none; user-select: none; }
time { margin-right: 1ch; color: #777; user-select: none; }
summary { cursor: pointer; font-weight: bold; background: #1c1c1c; }
.muted summary { color: #888; font-weight: normal; }
.faint { opacity: .65; }
a { color: #7af; }
`;
