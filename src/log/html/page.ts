import type { Stage } from '../stage.ts';
import { markStart } from '../time-marks.ts';
import { pageLines } from './page-lines.ts';
import { cleanLine } from '../../common/untrusted-text.ts';
import { toBytes } from '../text.ts';
import { escapeHtml, safeAddress } from './markup.ts';
import { textMarkup } from './write-text.ts';
import { themeStyle } from './colours.ts';

/** A standalone page. All text from the log is escaped. */
export function toHtml(head: PageHead): Stage {
  const lines = pageLines(head.hasFailed === true);
  let isStarted = false;

  return {
    push: (text) => (text === '' ? '' : start(text.includes(markStart)) + lines.write(text)),
    end: () => start(false) + lines.end() + pageEnd,
  };

  function start(isTimed: boolean): string {
    if (isStarted) return '';
    isStarted = true;
    return pageStart(head, isTimed);
  }
}

/** The content security policy forbids loading anything, and only allows the search script. */
export const pageStart = (head: PageHead, isTimed: boolean): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src '${scriptHash}'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${plainMarkup(head.title)}</title>
<style>${pageStyle}</style>
</head>
<body>
${headMarkup(head)}${searchBar}<main${isTimed ? ' class="timed"' : ''}>
`;

/** The search needs the script, so it is hidden until the script runs. */
const searchBar = `<nav hidden>
<input type="search" placeholder="Search (/)" aria-label="Search the log">
<output></output>
<button type="button" class="previous" aria-label="Previous">\u2191</button>
<button type="button" class="next" aria-label="Next">\u2193</button>
<button type="button" class="all">Open all</button>
</nav>
`.replace(/[\u0080-\uffff]/g, (character) => `&#${character.charCodeAt(0)};`);

/** The script creates ranges, never markup. If it changes, a test prints the new `scriptHash`. */
export const pageScript = `
'use strict';
const bar = document.querySelector('nav');
const [field, count] = bar.querySelectorAll('input, output');
const folds = document.getElementsByTagName('details');
const button = (name) => bar.querySelector('.' + name);
let lines;
let found = [];
let now = -1;
let wait;

bar.hidden = false;
field.addEventListener('input', () => { clearTimeout(wait); wait = setTimeout(search, 150); });
field.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
  if (event.key === 'Escape') { field.value = ''; search(); field.blur(); }
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === field) return;
  event.preventDefault();
  field.focus();
});
button('previous').addEventListener('click', () => go(-1));
button('next').addEventListener('click', () => go(1));
button('all').addEventListener('click', openAll);
addEventListener('hashchange', openAddress);
openAddress();
showCount();

function search() {
  const text = field.value;
  const pattern = new RegExp(text.replace(/[\\\\^$.*+?()[\\]{}|\\/]/g, '\\\\$&'), 'giu');
  lines ??= Array.from(document.querySelectorAll('main div[id], summary[id]'), (line) => ({ line, text: textOf(line) }));
  found = text === '' ? [] : lines.filter((one) => one.text.search(pattern) >= 0).map((one) => one.line);
  paint(pattern);
  mark(-1);
  if (found.length > 0) go(1);
  showCount();
}

function nodesOf(line) {
  const nodes = [];
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT, (node) =>
    node.parentNode.matches('a[href^="#L"], time') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  while (walker.nextNode()) nodes.push(walker.currentNode);
  return nodes;
}

function textOf(line) {
  return nodesOf(line).map((node) => node.data).join('');
}

function paint(pattern) {
  if (!('highlights' in CSS)) return;
  const all = new Highlight();
  let left = 5000;
  for (const line of found) {
    for (const range of rangesOf(line, pattern, left)) {
      all.add(range);
      left -= 1;
    }
    if (left === 0) break;
  }
  CSS.highlights.set('found', all);
}

function rangesOf(line, pattern, most) {
  const nodes = nodesOf(line);
  const matches = [];
  for (const match of nodes.map((node) => node.data).join('').matchAll(pattern)) {
    if (matches.push(match) >= most) break;
  }
  return matches.map((match) => {
    const range = document.createRange();
    range.setStart(...place(nodes, match.index));
    range.setEnd(...place(nodes, match.index + match[0].length));
    return range;
  });
}

function place(nodes, offset) {
  const node = nodes.find((one) => offset <= one.length || (offset -= one.length) < 0);
  return [node, offset];
}

function go(step) {
  if (found.length === 0) return;
  mark((now + step + found.length) % found.length);
  reveal(found[now]);
  found[now].scrollIntoView({ block: 'center' });
  showCount();
}

function mark(next) {
  document.querySelector('.now')?.classList.remove('now');
  now = next;
  found[now]?.classList.add('now');
}

function reveal(element) {
  const fold = element.closest('details');
  if (fold !== null && element.tagName !== 'SUMMARY') fold.open = true;
}

function showCount() {
  count.textContent = field.value === '' ? '' : found.length === 0 ? 'none' : (now + 1) + ' of ' + found.length;
  button('previous').disabled = button('next').disabled = found.length === 0;
  button('all').hidden = folds.length === 0;
}

function openAll() {
  const open = !Array.from(folds).every((fold) => fold.open);
  for (const fold of folds) fold.open = open;
  button('all').textContent = open ? 'Close all' : 'Open all';
}

function openAddress() {
  const line = /^#L[0-9]+$/.test(location.hash) && document.getElementById(location.hash.slice(1));
  if (!line) return;
  const fold = line.closest('details');
  if (fold !== null) fold.open = true;
  line.scrollIntoView({ block: 'center' });
}
`;

export const pageEnd = `</main>\n<script>${pageScript}</script>\n</body>\n</html>\n`;

export interface PageHead {
  readonly title: string;
  readonly job?: string | undefined;
  readonly build?: string | undefined;
  readonly address?: string | undefined;
  readonly state?: { readonly text: string; readonly tone: 'good' | 'bad' | 'busy' } | undefined;
  readonly facts?: readonly string[];
  /** The flags that selected a part of the log. Lines are numbered within that part. */
  readonly part?: string | undefined;
  readonly hasFailed?: boolean;
}

function headMarkup(head: PageHead): string {
  const { title, job, build, address, state, facts = [], part } = head;
  const parts = [
    state && `<b class="${state.tone}">${text(state.text)}</b>`,
    build === undefined ? undefined : linked(text(build), address),
    ...facts.map((fact) => `<span>${text(fact)}</span>`),
    part === undefined
      ? undefined
      : `<span>excerpt, lines numbered from 1: ${plainMarkup(part)}</span>`,
    '<span>times in UTC</span>',
  ];
  const line = parts.filter((part) => part !== undefined).join('\n');
  return `<header>\n<h1>${text(job ?? title)}</h1>\n<p>${line}</p>\n</header>\n`;
}

/** Without emojis, for use in a title or an attribute. */
const plainMarkup = (value: string): string => toBytes(escapeHtml(cleanLine(value)));

const text = (value: string): string => textMarkup(toBytes(cleanLine(value)));

function linked(content: string, address = ''): string {
  const safe = safeAddress(address);
  if (safe === undefined || !/^https?:/i.test(safe)) return `<span>${content}</span>`;
  return `<a href="${toBytes(escapeHtml(safe))}" rel="noopener noreferrer nofollow">${content}</a>`;
}

/** Line numbers and times are in a line's padding, so that tab stops are relative to its text. */
export const pageStyle = `${themeStyle}body { margin: 0; background: var(--ground); color: var(--ink); font: 14px/1.5 system-ui, sans-serif; }
a { color: var(--link); }
header { padding: 16px 16px 12px; }
h1 { margin: 0 0 4px; font-size: 20px; line-height: 1.3; overflow-wrap: anywhere; }
header p { display: flex; flex-wrap: wrap; gap: 2px 16px; margin: 0; color: var(--quiet); overflow-wrap: anywhere; }
header a { text-decoration: none; }
header a:hover { text-decoration: underline; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.busy { color: var(--busy); }
nav { position: sticky; top: 0; z-index: 1; display: flex; align-items: center; gap: 8px; padding: 8px 16px; background: var(--bar); border-block: 1px solid var(--rule); }
nav[hidden] { display: none; }
input, button { font: inherit; color: var(--ink); background: var(--ground); border: 1px solid var(--rule); border-radius: 6px; padding: 3px 10px; }
input { flex: 0 1 360px; min-width: 0; }
input::placeholder { color: var(--quiet); opacity: 1; }
button { cursor: pointer; }
button:disabled { color: var(--quiet); cursor: default; }
output { color: var(--quiet); white-space: nowrap; }
.all { margin-left: auto; white-space: nowrap; }
main { --gutter: 8ch; padding: 8px 0 32px; font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
main.timed { --gutter: 19ch; }
main div, summary { position: relative; min-height: 1.5em; padding: 0 16px 0 var(--gutter); white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 8; scroll-margin-top: 64px; }
main div > a[href^="#L"], summary > a { position: absolute; left: 0; width: 6ch; text-align: right; color: var(--quiet); text-decoration: none; -webkit-user-select: none; user-select: none; }
main div > a[href^="#L"]:hover, summary > a:hover { color: var(--link); text-decoration: underline; }
time { margin-right: 1ch; color: var(--quiet); -webkit-user-select: none; user-select: none; }
.timed time { position: absolute; left: 8ch; margin: 0; }
main .day { color: var(--quiet); -webkit-user-select: none; user-select: none; }
section { position: relative; margin: 4px 0; }
summary { padding-block: 4px; padding-right: 9ch; background: var(--bar); border-block: 1px solid var(--rule); font-weight: 600; cursor: pointer; list-style: none; }
summary > a, summary > time { font-weight: 400; }
summary::-webkit-details-marker { display: none; }
summary::before { content: "\\25b8"; position: absolute; left: calc(var(--gutter) - 1.6ch); color: var(--quiet); font-weight: 400; }
details[open] > summary::before { content: "\\25be"; }
.muted > summary { color: var(--quiet); font-weight: 400; }
.took { position: absolute; top: 5px; right: 16px; color: var(--quiet); pointer-events: none; -webkit-user-select: none; user-select: none; }
main div:target, main div.now, summary:target, summary.now { background: var(--marked); color: var(--ink); box-shadow: inset 3px 0 var(--busy); }
::highlight(found) { background: #ffd33d; color: #000000; }
@media (max-width: 600px) {
  header { padding: 12px 12px 8px; }
  nav { padding: 8px 12px; }
  input { flex: 1 1 0; }
  main, main.timed { --gutter: 7.5ch; font-size: 12px; }
  main div > a[href^="#L"], summary > a { width: 5ch; }
  .timed time { display: none; }
}
@media print {
  :root { color-scheme: light; }
  nav { display: none; }
}
`;

export const scriptHash = 'sha256-5y6VkU8/hxlPse4j4Rtiqt/E93Kpw8bXqIOMev/izQE=';
