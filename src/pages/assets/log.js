'use strict';
/**
 * The log of a job. Lines that are not on the page are gaps: `p.gap[data-from][data-to]`. When a
 * gap comes close to the window, the side closer to the window is filled. Lines far from the window
 * become a gap again.
 */

/** The maximum number of rows on the page, and how many remain after rows are removed. */
const mostRows = 4000;
const fewerRows = 2500;

const find = (selector) => document.querySelector(selector);
const findAll = (selector) => [...log.querySelectorAll(selector)];
const log = find('#log');
const rows = () => findAll('[id^=L]');
/** All rows and gaps, in order. */
const items = () => findAll('[id^=L], .gap');
const [field, output, previous, next, followButton, times, rawFile] =
  find('.log-bar')?.querySelectorAll('[type=search], output, button, a') ?? [];
let isFollowing = false;
let lastScroll = 0;
let found = [];
/** `+` if there may be more matches, otherwise empty. */
let more = '';
/** The index of the current match; -1 before the first. */
let current = -1;
let search;

const watcher = new IntersectionObserver(
  (entries) => entries.forEach((entry) => entry.isIntersecting && fill(entry.target)),
  { rootMargin: '600px' },
);

function start() {
  dress(log);
  addEventListener('scroll', scrolled, { passive: true });
  addEventListener('hashchange', openAddress);
  on(times, 'click', () => log.classList.toggle('timed'));
  on(followButton, 'click', () => follow(!isFollowing));
  on(field.form, 'submit', () => {});
  field.addEventListener('input', startSearch);
  field.addEventListener('keydown', ({ key, shiftKey }) => {
    if (key === 'Enter') go(shiftKey ? -1 : 1);
    if (key !== 'Escape') return;
    field.value = '';
    startSearch();
  });
  on(previous, 'click', () => go(-1));
  on(next, 'click', () => go(1));
  if (location.hash) openAddress();
  else if (log.dataset.start === 'end') {
    follow(isRunning());
    if (find('.gap,.tail')) toEnd();
  }
  showFollowing();
  if (field.value) startSearch();
  mend();
  cictlPage.listen(log.dataset.events, {
    log: addNews,
    part(part) {
      cictlPage.replacePart(part);
      if (followButton.hidden && isRunning()) isFollowing = !location.hash;
      showFollowing();
      if (isFollowing) toEnd();
    },
  });
}

/** Handles an event and prevents the browser's default action. */
function on(element, name, action) {
  element.addEventListener(name, (event) => {
    event.preventDefault();
    action();
  });
}

const isRunning = () => find('#job [data-running]') !== null;

/** Scrolling up stops following; scrolling to the end resumes it. */
function scrolled() {
  const { scrollHeight } = document.documentElement;
  const isEnd = scrollY + innerHeight > scrollHeight - 8;
  if (scrollY < lastScroll && !isEnd) isFollowing = false;
  else if (isEnd && isRunning()) isFollowing = true;
  lastScroll = scrollY;
  showFollowing();
}

function follow(wanted) {
  isFollowing = wanted;
  if (wanted) toEnd();
  showFollowing();
}

function showFollowing() {
  followButton.hidden = !isRunning();
  followButton.setAttribute('aria-pressed', isFollowing);
}

const toEnd = () => scrollTo(0, document.documentElement.scrollHeight);

const bottomOf = (element) => element.getBoundingClientRect().bottom;

/** Applies colors other than the sixteen that have classes. */
function dress(root) {
  for (const { style, dataset } of root.querySelectorAll('[data-ink],[data-ground]')) {
    style.color = dataset.ink ?? '';
    style.backgroundColor = dataset.ground ?? '';
  }
}

/** The line numbers of a row or a gap. */
function linesOf({ id, dataset }) {
  const line = Number(id.slice(1));
  return id ? { from: line, to: line + 1 } : { from: Number(dataset.from), to: Number(dataset.to) };
}

/** Fills a gap at its start, at its end, or around a line. Simultaneous calls share one request. */
function fill(gap, anchor = nearSide(gap)) {
  gap.filling ??= load(gap, anchor).finally(() => (gap.filling = undefined));
  return gap.filling;
}

function nearSide(gap) {
  const { from, to } = linesOf(gap);
  const isAbove = bottomOf(gap) < innerHeight / 2;
  const before = gap.previousElementSibling?.matches(':not(summary)');
  return gap.nextElementSibling && (isAbove || !before) ? ['before', to] : ['from', from];
}

async function load(gap, anchor) {
  const { from, to } = linesOf(gap);
  const within = gap.closest('[data-line]')?.dataset.line ?? '';
  const query = new URLSearchParams([['first', from], ['end', to], ['within', within], anchor]);
  const response = await fetch(`${location.pathname}/log/lines?${query}`).catch(() => {});
  const html = response?.ok && (await response.text());
  // The gap may have grown or been removed since the request.
  if (!html || !gap.isConnected || linesOf(gap).from !== from) return;
  steady(() => {
    gap.replaceWith(parsed(html));
    mend();
    trim();
  });
  paint();
}

function parsed(html) {
  const template = document.createElement('template');
  template.innerHTML = html;
  dress(template.content);
  return template.content;
}

/** Keeps the visible lines in the same place on the screen. */
function steady(change) {
  const seen = rows().find((row) => row.checkVisibility() && bottomOf(row) > 64);
  const before = seen && bottomOf(seen);
  change();
  if (seen?.isConnected) scrollBy(0, bottomOf(seen) - before);
  lastScroll = scrollY;
}

/** Joins sections that were loaded in parts, adjacent gaps, and adjacent lines without section. */
function mend() {
  findAll('section + section').forEach(join);
  let line = 1;
  for (const item of items()) {
    const { from, to } = linesOf(item);
    const section = item.closest('[data-line]');
    const isInside = section && section.dataset.line < line;
    if (from > line) (isInside ? item : (section ?? item)).before(gapOf(line, from));
    line = to;
  }
  const end = Number(log.dataset.lines) + 1;
  if (line < end) log.append(gapOf(line, end));
  for (const gap of findAll('.gap + .gap')) {
    const before = gap.previousElementSibling;
    gap.replaceWith(gapOf(linesOf(before).from, linesOf(gap).to));
    before.remove();
  }
  for (const gap of findAll('.gap')) watcher.observe(gap);
}

function join(section) {
  const before = section.previousElementSibling;
  if (before.dataset.line !== section.dataset.line) return;
  section.querySelector('summary').remove();
  before.querySelector('.took')?.remove();
  before.querySelector('details').append(...section.querySelector('details').childNodes);
  before.append(...section.querySelectorAll('.took'));
  section.remove();
}

function gapOf(from, to) {
  const gap = document.createElement('p');
  gap.className = 'gap';
  Object.assign(gap.dataset, { from, to });
  gap.textContent = to - from === 1 ? '1 line' : `${(to - from).toLocaleString('en')} lines`;
  return gap;
}

/** If there are too many rows, keeps only those near the middle of the window. */
function trim() {
  const many = rows();
  if (many.length <= mostRows) return;
  const middle = many.findIndex((row) => bottomOf(row) > innerHeight / 2);
  const at = (middle < 0 ? many.length : middle) - fewerRows / 2;
  const kept = many.slice(Math.max(0, Math.min(at, many.length - fewerRows))).slice(0, fewerRows);
  const [first, end] = [linesOf(kept[0]).from, linesOf(kept.at(-1)).to];
  remove(({ from, to }) => to <= first || from >= end);
  mend();
}

/** Removes rows and gaps, selected by their lines, and any sections that this leaves empty. */
function remove(isGone) {
  for (const item of items()) {
    if (!isGone(linesOf(item))) continue;
    if (item.matches('summary')) item.removeAttribute('id');
    else item.remove();
  }
  for (const section of findAll('section'))
    if (!section.querySelector('[id^=L], .gap')) section.remove();
}

/** Replaces everything from a line on with new lines of the log. */
function addNews({ from, lines, html, size }) {
  rawFile.textContent = `Raw log (${size})`;
  const end = log.lastElementChild;
  const isFirst = !find('[id^=L]');
  const isAway = end?.matches('.gap') && linesOf(end).to >= from && !isFollowing;
  const page = document.documentElement;
  const below = page.scrollHeight - scrollY;
  const change = () => {
    remove((lines) => lines.to > from);
    log.querySelector('.note')?.remove();
    log.dataset.lines = lines;
    log.classList.toggle('wide', lines > 99_999);
    if (!isAway) log.append(parsed(html));
    mend();
    trim();
  };
  if (isFollowing) change();
  else steady(change);
  if (isFollowing) toEnd();
  // The last lines may have been on the page already.
  else if (isFirst) scrollTo(0, page.scrollHeight - below);
  // The search may have found something before the log arrived.
  if (isFirst && current < 0) openAddress();
  else if (isFirst) go(0);
  paint();
}

async function openAddress() {
  const line = /^#L(\d+)$/.exec(location.hash)?.[1];
  if (line) show(await reveal(Number(line)));
}

/** Marks a row. Browsers do not do this if the row was added after the page was opened. */
function show(row) {
  find('.log .now')?.classList.remove('now');
  row?.classList.add('now');
  row?.scrollIntoView({ block: 'center' });
}

/** Returns the row of a line. Loads the row if necessary, and opens its section. */
async function reveal(line) {
  for (let tries = 0; tries < 4 && !find(`#L${line}`); tries++) {
    const gap = findAll('.gap').find(
      (some) => linesOf(some).from <= line && line < linesOf(some).to,
    );
    if (gap) await fill(gap, ['at', line]);
  }
  const row = find(`#L${line}`);
  const fold = row?.closest('details');
  if (fold && !row.matches('summary')) fold.open = true;
  return row;
}

/** The service searches the whole log and sends each match when it is found. */
async function startSearch() {
  search?.abort();
  search = new AbortController();
  const { signal } = search;
  found = [];
  more = '';
  current = -1;
  showFound();
  paint();
  const text = field.value;
  if (text === '') return;
  await new Promise((resolve) => setTimeout(resolve, 150));
  if (signal.aborted) return;
  const query = new URLSearchParams({ q: text });
  try {
    const response = await fetch(`${location.pathname}/log/search?${query}`, { signal });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = '', piece; !(piece = await reader.read()).done;) {
      const lines = (rest + piece.value).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        if (line === '"more"') more = '+';
        else found.push(...JSON.parse(line));
      }
      showFound();
      if (current < 0) go(1);
    }
    paint();
    if (found.length === 0) output.textContent = 'none';
  } catch {
    // Either a new search has started, or a notice already says that the service is unreachable.
  }
}

function showFound() {
  const place = current < 0 ? '' : `${current + 1} of `;
  output.textContent = found.length ? place + found.length + more : '';
  previous.hidden = next.hidden = found.length === 0;
}

async function go(step) {
  if (found.length === 0) return;
  current = (current + step + found.length) % found.length;
  isFollowing = false;
  showFound();
  show(await reveal(found[current]));
  paint();
}

/** Highlights matches in the loaded rows. */
function paint() {
  if (!('highlights' in CSS)) return;
  const ranges = new Highlight();
  const text = lower(field.value);
  const wanted = new Set(text && found);
  for (const row of rows().filter((row) => wanted.has(linesOf(row).from)))
    for (const range of rangesOf(row, text)) ranges.add(range);
  CSS.highlights.set('found', ranges);
}

function rangesOf(row, text) {
  const nodes = [];
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  while (walker.nextNode())
    if (!walker.currentNode.parentNode.matches('a[href^="#L"], time'))
      nodes.push(walker.currentNode);
  const whole = lower(nodes.map(({ data }) => data).join(''));
  const ranges = [];
  for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + text.length)) {
    const range = document.createRange();
    range.setStart(...placeIn(nodes, at));
    range.setEnd(...placeIn(nodes, at + text.length));
    ranges.push(range);
  }
  return ranges;
}

/** Lower-cases text without changing its length (`İ` would become longer). */
const lower = (text) => text.replaceAll('İ', 'i').toLowerCase();

function placeIn(nodes, offset) {
  const node = nodes.find((one) => offset <= one.length || (offset -= one.length) < 0);
  return [node, offset];
}

if (log) start();
