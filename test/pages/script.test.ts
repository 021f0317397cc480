/** The script of all pages, with a page and an event stream that the test controls. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { pageScript } from '../../src/pages/assets/assets.ts';
import { hasBrowser, useBrowser } from '../support/browser.ts';
import { longTest } from '../support/full.ts';

/** The initial time of the page's clock, in milliseconds. */
const start = 30_000;

const part = (inner: string): string => `<section id="part" data-part>${inner}</section>`;
const row = (id: string): string => `<li id="${id}" data-row><a href="#${id}">Row ${id}</a></li>`;
const form = '<form><input type="hidden" name="form_token" value="old"><input name="text"></form>';
const details = (text: string): string =>
  `<details><summary>More</summary><p>${text}</p></details>`;
const more = '<p><input type="search"><button aria-keyshortcuts="f">Follow</button></p>';
const document = (inner: string): string =>
  `<!doctype html><html lang="en"><link rel="icon" href="data:"><title>t</title><script src="/script.js" defer></script>` +
  `<body data-live="/events?last-event-id=v0"><main><h1>t</h1>${inner}</main></body></html>`;

interface Connection {
  /** The `Last-Event-ID` of the request. */
  readonly last: string | undefined;
  /** Sends an event like the service does. */
  readonly send: (id: string, data: object, event?: string) => void;
  readonly response: ServerResponse;
  readonly closed: Promise<void>;
}

/** A page, and its consecutive connections for events. */
async function serve(inner: string) {
  const waiting: ((connection: Connection) => void)[] = [];
  const made: Connection[] = [];
  const server = createServer((request, response) => {
    if (request.url !== '/events?last-event-id=v0') {
      const isScript = request.url === '/script.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
      response.end(isScript ? pageScript : document(inner));
      return;
    }
    const connection = connectionOf(request, response);
    const take = waiting.shift();
    if (take === undefined) made.push(connection);
    else take(connection);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const next = (): Promise<Connection> => {
    const one = made.shift();
    return one ? Promise.resolve(one) : new Promise((resolve) => waiting.push(resolve));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, next };
}

function connectionOf(request: IncomingMessage, response: ServerResponse): Connection {
  return {
    last: request.headers['last-event-id'] as string | undefined,
    response,
    send: (id, data, event = 'part') =>
      void response.write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    closed: new Promise((resolve) => response.on('close', resolve)),
  };
}

describe.skipIf(!hasBrowser)('the script of the pages', () => {
  const browser = useBrowser();

  /**
   * Opens the page with a controlled clock; `later` is the next connection, however long the page
   * waits before it.
   */
  async function open(inner: string) {
    const { url, next } = await serve(inner);
    const visit = await browser.visit();
    onTestFinished(() => visit.close());
    visit.expectOrigin(url);
    visit.allow(/net::ERR|status of 401|Failed to load/);
    const { page } = visit;
    await page.clock.install({ time: 0 });
    await visit.open('/');
    await page.clock.pauseAt(start);
    const later = async (): Promise<Connection> => {
      const connection = next();
      const soon = () => page.clock.runFor(250).then(() => undefined);
      for (;;) {
        const found = await Promise.race([connection, soon()]);
        if (found !== undefined) return found;
      }
    };
    return { page, notice: page.getByRole('status'), next, later };
  }

  const focused = (page: Page): Promise<string> =>
    page.evaluate('document.activeElement.textContent || document.activeElement.name');

  test('typed, open, selected and focused elements survive an update', async () => {
    const before = part(`<ul>${row('a')}${row('b')}</ul>${details('one')}${form}`);
    const { page, next } = await open(before);
    await page.fill('[name=text]', 'typed');
    await page.click('summary');
    await page.evaluate('window.kept = document.querySelector("#b a"); kept.focus()');
    const { send } = await next();
    const html = part(`<h2>New</h2><ul>${row('c')}${row('b')}</ul>${details('two')}${form}`);
    send('v1', { id: 'part', html });
    await page.getByText('Row c').waitFor();
    expect(await page.locator('[data-row]').allTextContents()).toEqual(['Row c', 'Row b']);
    expect(await page.inputValue('[name=text]')).toBe('typed');
    expect(await page.getByText('two').isVisible()).toBe(true);
    expect(await focused(page)).toBe('Row b');
    expect(await page.evaluate('kept === document.querySelector("#b a")')).toBe(true);
    const own = await page.evaluate<string>('document.querySelector("#part").outerHTML');
    expect(own.replace(' open=""', '').replaceAll('=""', '')).toBe(html);
  });

  test('reordered rows keep their elements, and scripted content stays', async () => {
    const filled = '<div id="own" data-own></div>';
    const { page, next } = await open(part(`<ul>${row('a')}${row('b')}${row('c')}</ul>${filled}`));
    await page.evaluate(
      'document.querySelector("#own").append("mine"); window.a = document.querySelector("#a")',
    );
    const { send } = await next();
    send('v1', { id: 'none', html: '<p id="none">not here</p>' });
    send('v2', { id: 'part', html: part(`<ul>${row('c')}${row('d')}${row('a')}</ul>${filled}`) });
    await page.getByText('Row d').waitFor();
    expect(await page.locator('[data-row]').allTextContents()).toEqual(['Row c', 'Row d', 'Row a']);
    expect(await page.evaluate('a === document.querySelector("#a")')).toBe(true);
    expect(await page.locator('#own').textContent()).toBe('mine');
    expect(await page.getByText('not here').count()).toBe(0);
  });

  test('after a break, requests newer events, reports problems, and continues in a new session', async () => {
    const { page, notice, next, later } = await open(part('zero') + form);
    const first = await next();
    expect(first.last).toBe('v0');
    first.send('v1', { id: 'part', html: part('one') });
    await page.getByText('one').waitFor();
    first.response.end();
    const second = await later();
    expect(second.last).toBe('v1');
    second.send('v1', { id: 'part', html: part('again') });
    await page.getByText('again').waitFor();
    second.response.destroy();
    await notice.getByText('Disconnected from the service. Reconnecting…').waitFor();
    (await later()).response.writeHead(401).end();
    await notice.getByText('You are signed out.').waitFor();
    expect(await notice.locator('code').textContent()).toBe(`cictl local open '${page.url()}'`);
    const third = await later();
    expect(third.last).toBe('v1');
    third.response.setHeader('form-token', 'new');
    third.send('v2', { id: 'part', html: part('two') });
    await page.getByText('two').waitFor();
    expect(await notice.textContent()).toBe('');
    expect(await page.inputValue('[name=form_token]')).toBe('new');
  });

  test('a page whose stream is rejected says so, and retries after 15 seconds', async () => {
    const { page, notice, next } = await open(part('zero'));
    (await next()).response.writeHead(429).end();
    await notice.getByText('This page is not updated live').waitFor();
    await page.clock.runFor(16_000);
    (await next()).send('v1', { id: 'part', html: part('one') });
    await page.getByText('one').waitFor();
    expect(await notice.textContent()).toBe('');
  });

  test('fills in form values that are missing', async () => {
    const once = (value: string): string =>
      `<form><input type="hidden" name="once" value="${value}"></form>`;
    const { page, next } = await open(once('own') + part(once('own')));
    const { response, send } = await next();
    response.setHeader('form-token', 'token');
    send('v1', { id: 'part', html: part(`new ${once('-')}${form.replace('old', '-')}`) });
    await page.getByText('new').waitFor();
    expect(await page.inputValue('#part [name=once]')).toBe('own');
    expect(await page.inputValue('[name=form_token]')).toBe('token');
  });

  test('pauses grow, and returning to the window ends them', async () => {
    const { page, notice, next } = await open(part('zero'));
    let asked = await next();
    await page.evaluate(
      'window.times = []; window.ask = fetch; window.fetch = (...all) => { times.push(Date.now()); return ask(...all) }',
    );
    const pauses = [1000, 2000, 4000, 8000, 15_000, 15_000];
    // Two errors one after the other, so that each is noticed.
    const fail = async (at: number): Promise<void> => {
      const isDown = at % 2 === 0;
      asked.response.writeHead(isDown ? 503 : 404).end();
      await notice.getByText(isDown ? 'Disconnected' : 'no longer available').waitFor();
    };
    for (const [at, pause] of pauses.entries()) {
      await fail(at);
      await page.clock.runFor(pause);
      asked = await next();
    }
    await fail(pauses.length);
    await page.evaluate('dispatchEvent(new Event("focus"))');
    await next();
    const times = await page.evaluate<number[]>('times');
    const passed = times.map((time, at) => time - (times[at - 1] ?? start));
    expect(passed).toEqual([...pauses, 0]);
  });

  test('drops a connection that is silent for 40 seconds', async () => {
    const { page, notice, next, later } = await open(part('zero'));
    const silent = await next();
    for (const text of ['one', 'two']) {
      silent.send(text, { id: 'part', html: part(text) });
      await page.getByText(text).waitFor();
      await page.clock.runFor(39_000);
    }
    expect(await notice.textContent()).toBe('');
    await page.clock.runFor(1000);
    await silent.closed;
    await notice.getByText('Disconnected').waitFor();
    expect((await later()).last).toBe('two');
  });

  test('an offline page says so, and catches up when online', async () => {
    const { page, notice, next } = await open(part('zero'));
    const first = await next();
    first.send('v1', { id: 'part', html: part('one') });
    await page.getByText('one').waitFor();
    await page.context().setOffline(true);
    await first.closed;
    await notice.getByText('Disconnected').waitFor();
    await page.context().setOffline(false);
    const again = await next();
    expect(again.last).toBe('v1');
    again.send('v2', { id: 'part', html: part('two') });
    await page.getByText('two').waitFor();
    expect(await notice.textContent()).toBe('');
  });

  test('a hidden tab disconnects, and catches up later', async () => {
    const { page, notice, next } = await open(part('zero'));
    const first = await next();
    first.send('v1', { id: 'part', html: part('one') });
    await page.getByText('one').waitFor();
    const see = (hidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true });` +
          "document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))",
      );
    await see(true);
    await first.closed;
    await page.clock.runFor(60_000);
    expect(await notice.textContent()).toBe('');
    await see(false);
    expect((await next()).last).toBe('v1');
  });

  longTest('more pages than connections take turns, and all get updates', async () => {
    const { url, next } = await serve(part('old'));
    const visit = await browser.visit();
    onTestFinished(() => visit.close());
    visit.expectOrigin(url);
    void (async () => {
      for (;;) (await next()).send('v1', { id: 'part', html: part('new') });
    })();
    const tabs = [visit.page];
    while (tabs.length < 9) tabs.push(await visit.context.newPage());
    for (const tab of tabs) await tab.goto(url);
    for (const tab of tabs) await tab.getByText('new').waitFor();
    // Another page takes the free connection and stays connected.
    for (const tab of tabs.slice(0, 4)) await tab.close();
    await tabs[8]?.waitForFunction('navigator.locks.query().then(({ held }) => held.length === 4)');
  });

  test('keys open the search, move through rows, and show their list', async () => {
    const { page } = await open(`${more}<ul>${row('a')}${row('b')}</ul>`);
    await page.keyboard.press('/');
    await page.keyboard.type('j?');
    expect(await page.inputValue('[type=search]')).toBe('j?');
    await page.keyboard.press('Escape');
    const seen: string[] = [];
    for (const key of ['j', 'j', 'j', 'k']) {
      await page.keyboard.press(key);
      seen.push(await focused(page));
    }
    expect(seen).toEqual(['Row a', 'Row b', 'Row b', 'Row a']);
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#a');
    await page.evaluate(
      'document.querySelector("button").onclick = () => { document.title = "followed" }',
    );
    await page.keyboard.press('Control+f');
    expect(await page.title()).toBe('t');
    await page.keyboard.press('f');
    expect(await page.title()).toBe('followed');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keys' });
    expect(await keysOf(dialog)).toEqual(['/', 'j', 'k', 'Enter', '?', 'f']);
    expect(await dialog.locator('dd').last().textContent()).toBe('Follow');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test.each([
    [`<ul>${row('a')}</ul>`, ['j', 'k', 'Enter', '?']],
    [`<details><summary>Rows</summary><ul>${row('a')}</ul></details>`, ['?']],
    ['<p>Text</p>', ['?']],
  ])('for %s, the list of keys names only working ones', async (body, keys) => {
    const { page } = await open(body);
    await page.keyboard.press('?');
    expect(await keysOf(page.getByRole('dialog', { name: 'Keys' }))).toEqual(keys);
  });

  test('sections of a log are rows that Enter opens', async () => {
    const section = (name: string) =>
      `<details><summary><a href="#${name}">1</a>${name}</summary></details>`;
    const { page } = await open(`<div id="log">${section('a')}${section('b')}</div>`);
    for (const key of ['j', 'j', 'Enter']) await page.keyboard.press(key);
    expect(await page.locator('details[open]').textContent()).toBe('1b');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    expect(await page.locator('details[open]').count()).toBe(2);
  });
});

const keysOf = (dialog: Locator): Promise<string[]> => dialog.locator('kbd').allTextContents();
