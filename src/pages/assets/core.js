'use strict';
/**
 * Scripts for all pages: live updates and keyboard shortcuts. Scripts for single pages use
 * `cictlPage.listen(address, handlers)`, `.replacePart({ id, html })` and `.say(text)`.
 */

/** Times in milliseconds. The service sends a heartbeat every 15 seconds. */
const longestPause = 15_000;
const longestSilence = 40_000;

const notice = make('p', { id: 'connection', role: 'status' });

/** Shows a notice that stays on the page and is read aloud. An empty string removes the notice. */
function say(text, command = '') {
  if (notice.firstChild?.data === text) return;
  notice.replaceChildren(...(text && [text, make('code', {}, command)]));
}

/**
 * Listens to the event stream at a URL. `handlers` maps event names to functions of data and ID.
 * After a disconnect, resumes after the last ID. Disconnects while the page is hidden, because
 * browsers allow few connections per service. Reconnects if the network changes, because a dead
 * connection may seem alive. Returns a function that stops listening.
 */
function listen(address, handlers) {
  const last = new URLSearchParams(address.split('?')[1]).get('last-event-id');
  const stream = { address, handlers, last, failures: 0, isOver: false };
  const wake = (event) => {
    if (document.hidden) rest(stream);
    else if (!stream.request || /line/.test(event.type)) connect(stream);
  };
  for (const name of ['focus', 'visibilitychange', 'offline', 'online'])
    addEventListener(name, wake);
  wake();
  return () => {
    stream.isOver = true;
    rest(stream);
  };
}

function rest(stream) {
  clearTimeout(stream.timer);
  clearTimeout(stream.silence);
  stream.leave?.();
  stream.request?.abort();
  stream.leave = stream.request = undefined;
}

async function connect(stream) {
  rest(stream);
  if (stream.isOver) return;
  const request = (stream.request = new AbortController());
  awaitSign(stream);
  const leave = await takeSeat();
  if (stream.request !== request) return leave?.();
  stream.leave = leave ?? takeTurn(stream);
  const headers = stream.last === null ? {} : { 'last-event-id': stream.last };
  const response = await fetch(stream.address, { headers, signal: request.signal }).catch(() => {});
  if (stream.request !== request) return;
  if (response?.status === 204) return rest(stream);
  if (response?.ok) await read(response, stream);
  else failed(stream, response?.status);
  if (stream.request === request) retry(stream);
}

/**
 * Browsers allow six connections per service across all tabs. Several tabs may be visible, so only
 * four of them stay connected. Resolves to a function that releases the connection, or to undefined
 * if four other tabs are connected.
 */
async function takeSeat() {
  for (const name of '1234') {
    const leave = await new Promise((resolve) => {
      const take = (lock) => (lock ? new Promise(resolve) : resolve());
      if (navigator.locks) navigator.locks.request(name, { ifAvailable: true }, take);
      else take(true);
    });
    if (leave) return leave;
  }
}

/** Connects for a second, then disconnects and tries again some seconds later. */
function takeTurn(stream) {
  const timer = setTimeout(() => {
    rest(stream);
    stream.timer = setTimeout(() => connect(stream), 3000);
  }, 1000);
  return () => clearTimeout(timer);
}

/** Disconnects if the service is silent for too long. */
function awaitSign(stream) {
  const { request } = stream;
  clearTimeout(stream.silence);
  stream.silence = setTimeout(() => request.abort(), longestSilence);
}

function retry(stream) {
  rest(stream);
  const ms = Math.min(longestPause, 500 * 2 ** stream.failures);
  stream.timer = setTimeout(() => connect(stream), ms);
}

function failed(stream, status) {
  stream.failures++;
  if (status === 401) say('You are signed out. To continue, run in a terminal: ', openCommand());
  else if (status === 404) say('This page is no longer available.');
  else if (status === 429) {
    stream.failures = 9;
    say('This page is not updated live, because too many pages are open. Retrying…');
  } else say('Disconnected from the service. Reconnecting…');
}

/** The URL contains nothing that a shell would interpret. */
const openCommand = () => `cictl local open '${location.href.replaceAll("'", '%27')}'`;

async function read(response, stream) {
  const { request } = stream;
  renewForms(response.headers.get('form-token'));
  say('');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const piece = await reader.read().catch(() => {});
    if (stream.request !== request || piece?.done) return;
    if (piece === undefined) return failed(stream);
    awaitSign(stream);
    stream.failures = 0;
    const messages = (text + piece.value).split('\n\n');
    text = messages.pop();
    for (const message of messages) handle(message, stream);
  }
}

function handle(message, stream) {
  const field = (name) => new RegExp(`^${name}: (.*)`, 'm').exec(message)?.[1];
  const data = field('data');
  if (data === undefined) return;
  stream.handlers[field('event')]?.(JSON.parse(data), field('id'));
  stream.last = field('id') ?? stream.last;
}

/**
 * Values that forms send: the session token, and a value unique to this page, which lets the
 * service detect a form that was sent twice.
 */
const ofForms = { once: document.getElementsByName('once')[0]?.value ?? crypto.randomUUID() };

/** A new session has a different form token. */
function renewForms(token) {
  if (token) ofForms.form_token = token;
  fillForms(document);
}

/** Parts of a page are sent without these values, because all pages receive the same parts. */
function fillForms(root) {
  for (const [name, value] of Object.entries(ofForms))
    for (const field of root.querySelectorAll(`input[name=${name}]`)) field.value = value;
}

/** Updates a part of the page. Keeps what the user has typed, opened, focused or scrolled. */
function replacePart({ id, html }) {
  const template = make('template', {});
  template.innerHTML = html;
  fillForms(template.content);
  const part = document.getElementById(id);
  const fresh = template.content.firstElementChild;
  if (part && fresh) morph(part, fresh);
}

/** Skips the contents of elements with `data-own`, because a script on the page fills them. */
function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeName !== fresh.nodeName || old.id !== fresh.id) old.replaceWith(fresh);
  else if (old.nodeType !== Node.ELEMENT_NODE) old.data = fresh.data;
  else if (!old.hasAttribute('data-own')) {
    morphAttributes(old, fresh);
    morphChildren(old, fresh);
  }
}

/** Keeps `open`, because the user decides what is open. */
function morphAttributes(old, fresh) {
  const names = new Set([...old.getAttributeNames(), ...fresh.getAttributeNames()]);
  if (old.nodeName === 'DETAILS') names.delete('open');
  for (const name of names) {
    const value = fresh.getAttribute(name);
    if (value === null) old.removeAttribute(name);
    else if (value !== old.getAttribute(name)) old.setAttribute(name, value);
  }
}

/** Matches elements with an ID wherever they are, and other elements by tag name and order. */
function morphChildren(old, fresh) {
  const wanted = [...fresh.childNodes];
  const ids = new Set(wanted.map(({ id }) => id));
  for (const child of [...old.children]) if (child.id && !ids.has(child.id)) child.remove();
  const named = new Map([...old.children].map((child) => [child.id, child]));
  let at = old.firstChild;
  const next = () => {
    const passed = at;
    at = at.nextSibling;
    return passed;
  };
  while (wanted.length > 0) {
    while (at && !at.id && !wanted.some((one) => isAlike(at, one))) next().remove();
    const child = wanted.shift();
    const same = child.id ? named.get(child.id) : isAlike(at, child) && at;
    if (!same) old.insertBefore(child, at);
    else if (same === at) next();
    else old.insertBefore(same, at);
    if (same) morph(same, child);
  }
  while (at) next().remove();
}

const isAlike = (old, fresh) => old && !old.id && !fresh.id && old.nodeName === fresh.nodeName;

/** Matches list rows and log sections. */
const rows = '[data-row], #log summary';

/** Descriptions of keyboard shortcuts, by the elements to which they apply. */
const keys = {
  '[type=search]': { '/': 'Search' },
  [rows]: { j: 'Next row', k: 'Previous row', Enter: 'Open the row' },
  body: { '?': 'All keyboard shortcuts' },
};

/** Elements can declare their own shortcuts in `aria-keyshortcuts`. */
function press(event) {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]'))
    return;
  if (target.matches('input, textarea, select')) return key === 'Escape' && target.blur();
  const own = document.querySelector(`[aria-keyshortcuts="${CSS.escape(key)}"]`);
  if (own?.matches('input')) own.focus();
  else if (own) own.click();
  else if (key === '/') document.querySelector('[type=search]')?.focus();
  else if (key === 'j') toRow(1);
  else if (key === 'k') toRow(-1);
  else if (key === '?') showKeys();
  else return;
  event.preventDefault();
}

/** Focuses the link of another row, so that Enter opens it. */
function toRow(step) {
  const links = [...document.querySelectorAll(rows)]
    .map((row) => (row.matches('a, summary') ? row : row.querySelector('a[href]')))
    .filter((link) => link?.checkVisibility());
  const at = links.findIndex((link) => link.closest(rows).matches(':focus-within'));
  const next = links[at < 0 ? 0 : at + step];
  next?.focus();
}

function showKeys() {
  const own = [...document.querySelectorAll('[aria-keyshortcuts]')].map((element) => [
    element.getAttribute('aria-keyshortcuts'),
    element.ariaLabel ?? (element.title || element.textContent),
  ]);
  const list = make('dl', {});
  const isHere = (what) =>
    [...document.querySelectorAll(what)].some((one) => one.checkVisibility());
  const all = Object.entries(keys).map(([what, texts]) => isHere(what) && texts);
  for (const [key, text] of Object.entries(Object.assign({}, ...all, Object.fromEntries(own))))
    list.append(make('dt', {}, make('kbd', {}, key)), make('dd', {}, text));
  const close = make('button', {}, 'Close');
  const title = make('h2', { id: 'keys' }, 'Keys');
  const dialog = make('dialog', { 'aria-labelledby': 'keys' }, title, list, close);
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/**
 * Prevents sending a form twice. After some time the form can be sent again, in case sending was
 * interrupted. The service handles each form only once.
 */
function send(event) {
  const { target: form } = event;
  if (form.method !== 'post') return;
  if (form.isSent) event.preventDefault();
  form.isSent = true;
  setTimeout(() => (form.isSent = false), 3000);
}

/** Ignores the second click of a double click, which could hit a button on the next page. */
function takeOneClick(event) {
  const { form, type } = event.target;
  if (event.detail > 1 && type === 'submit' && form?.method === 'post') event.preventDefault();
}

/** Goes to the list page that contains the job, because an old URL may have another page number. */
function toJob() {
  const id = location.hash.slice(1);
  const isGone = /^[\da-f-]{36}$/.test(id) && !document.getElementById(id);
  if (isGone && document.getElementById('jobs') && !location.search.includes(id))
    location.replace(`?job=${id}#${id}`);
}

document.body.append(notice);
addEventListener('hashchange', toJob);
toJob();
document.addEventListener('submit', send);
document.addEventListener('click', takeOneClick);
document.addEventListener('keydown', press);
globalThis.cictlPage = { listen, replacePart, say };
if (document.body.dataset.live) listen(document.body.dataset.live, { part: replacePart });
