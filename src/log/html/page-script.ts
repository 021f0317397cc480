/**
 * The one script of the page: it searches, opens the section of an address, and opens all sections.
 * It makes no markup of the log, nor anything but ranges of it. `scriptHash` is that of this text;
 * a test says what it is to be when the text changes.
 */
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

export const scriptHash = 'sha256-5y6VkU8/hxlPse4j4Rtiqt/E93Kpw8bXqIOMev/izQE=';
