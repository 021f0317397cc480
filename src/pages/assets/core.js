'use strict';
/*
 * What every page does by itself: it shows what is new, and obeys keys. Scripts of single pages use
 * `cictlPage.listen(address, handlers)`, `.replacePart({ id, html })` and `.say(text)`.
 */

/** Milliseconds. The service gives a sign of life every 15 seconds. */
const longestPause = 15_000;
const longestSilence = 40_000;

const notice = make('p', { id: 'connection', role: 'status' });

/** A text that stays on the page, and is read out; none where it is empty. */
function say(text, command = '') {
  if (notice.firstChild?.data === text) return;
  notice.replaceChildren(...(text && [text, make('code', {}, command)]));
}

/**
 * Hears the events of an address: handlers by the name of the event take its data and id. After a break it
 * asks for what is newer than the last id. While nobody sees the page it rests, as a browser has few
 * connections to a service for all its tabs. Where the network changes it asks again, as a connection may
 * seem to stand. Returns what ends it.
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
 * A browser has six connections to a service for all its pages, and more pages may be seen at once: four
 * may stay connected. Resolves with what gives the place back; with nothing where all are taken.
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

/** Hears for a second what is new, and again some seconds later. */
function takeTurn(stream) {
  const timer = setTimeout(() => {
    rest(stream);
    stream.timer = setTimeout(() => connect(stream), 3000);
  }, 1000);
  return () => clearTimeout(timer);
}

/** Whoever says nothing for so long has gone. */
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
  if (status === 401)
    say('You are signed out. This page goes on when you have typed in a terminal: ', openCommand());
  else if (status === 404) say('What this page shows is no longer there.');
  else if (status === 429) {
    stream.failures = 9;
    say('This page is not updated live, because too many pages are open. Trying again…');
  } else say('The connection to the service is lost. Trying again…');
}

/** Nothing in the address is for the shell. */
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

/** What forms carry: the token of the session, and a value of this page by which a form that is sent twice is known. */
const ofForms = { once: document.getElementsByName('once')[0]?.value ?? crypto.randomUUID() };

/** A new session has other tokens for its forms. */
function renewForms(token) {
  if (token) ofForms.form_token = token;
  fillForms(document);
}

/** Parts come without these values, as all pages get the same ones. */
function fillForms(root) {
  for (const [name, value] of Object.entries(ofForms))
    for (const field of root.querySelectorAll(`input[name=${name}]`)) field.value = value;
}

/** Makes a part what the service says: what is typed, open, focused or scrolled stays so. */
function replacePart({ id, html }) {
  const template = make('template', {});
  template.innerHTML = html;
  fillForms(template.content);
  const part = document.getElementById(id);
  const fresh = template.content.firstElementChild;
  if (part && fresh) morph(part, fresh);
}

/** What has `data-own` is filled by a script of the page. */
function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeName !== fresh.nodeName || old.id !== fresh.id) old.replaceWith(fresh);
  else if (old.nodeType !== Node.ELEMENT_NODE) old.data = fresh.data;
  else if (!old.hasAttribute('data-own')) {
    morphAttributes(old, fresh);
    morphChildren(old, fresh);
  }
}

/** What is open is up to who looks. */
function morphAttributes(old, fresh) {
  const names = new Set([...old.getAttributeNames(), ...fresh.getAttributeNames()]);
  if (old.nodeName === 'DETAILS') names.delete('open');
  for (const name of names) {
    const value = fresh.getAttribute(name);
    if (value === null) old.removeAttribute(name);
    else if (value !== old.getAttribute(name)) old.setAttribute(name, value);
  }
}

/** Elements with an id are found again wherever they stand, others by their name and order. */
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

/** Rows, and the sections of a log. */
const rows = '[data-row], #log summary';

/** Texts of keys, by what they are for. */
const keys = {
  '[type=search]': { '/': 'Search' },
  [rows]: { j: 'Next row', k: 'Row before', Enter: 'Open the row' },
  body: { '?': 'All keys' },
};

/** Elements name keys of their own with `aria-keyshortcuts`. */
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

/** To the link of a row, so that Enter opens it. */
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

/** A form is sent once; again a while later, as its sending may have been broken off: the service takes one once. */
function send(event) {
  const { target: form } = event;
  if (form.method !== 'post') return;
  if (form.isSent) event.preventDefault();
  form.isSent = true;
  setTimeout(() => (form.isSent = false), 3000);
}

/** The second click of two may come when the next page is there already, with a button in the same place. */
function takeOneClick(event) {
  const { form, type } = event.target;
  if (event.detail > 1 && type === 'submit' && form?.method === 'post') event.preventDefault();
}

/** A job whose row is on another page of its build's list: an address of an earlier time does not know that. */
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
