import { headMarkup, titleMarkup, type PageHead } from './page-head.ts';
import { pageScript, scriptHash } from './page-script.ts';
import { pageStyle } from './page-style.ts';

/**
 * The beginning and the end of the page. The policy forbids every load, and every script but the
 * one that searches, by its hash, so that nothing happens even where a browser reads markup in a way
 * that nobody thought of.
 */
export const pageStart = (head: PageHead, isTimed: boolean): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src '${scriptHash}'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${titleMarkup(head.title)}</title>
<style>${pageStyle}</style>
</head>
<body>
${headMarkup(head)}${searchBar}<main${isTimed ? ' class="timed"' : ''}>
`;

/** Shown by the script, without which it could do nothing. */
const searchBar = `<nav hidden>
<input type="search" placeholder="Search (/)" aria-label="Search the log">
<output></output>
<button type="button" class="previous" aria-label="Previous">\u2191</button>
<button type="button" class="next" aria-label="Next">\u2193</button>
<button type="button" class="all">Open all</button>
</nav>
`.replace(/[\u0080-\uffff]/g, (character) => `&#${character.charCodeAt(0)};`);

export const pageEnd = `</main>\n<script>${pageScript}</script>\n</body>\n</html>\n`;
