/** The test browser notices forbidden behavior, shown with pages that are not ours. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, displays, useBrowser } from '../support/browser.ts';

const bad: Readonly<Record<string, readonly [html: string, problem: RegExp]>> = {
  'asks elsewhere': ['<img src="http://127.0.0.1:9/x.png">', /^asks http:\/\/127\.0\.0\.1:9\/x/],
  'breaks its policy': ['<p style="color: red">x</p>', /Content Security Policy/],
  throws: ['<script src="/throws.js"></script>', /^throws: on purpose/],
  'asks a person': ['<script src="/asks.js"></script>', /^asks a person: on purpose/],
  'misses a file': ['<script src="/none.js"></script>', /^console: .*404/],
  'scrolls sideways': [`<p>${'x'.repeat(999)}</p>`, /^scrolls sideways/],
};
const files: Readonly<Record<string, string>> = {
  '/throws.js': 'throw new Error("on purpose")',
  '/asks.js': 'alert("on purpose")',
  '/good': '<p>fine</p>',
};

const server = createServer(({ url = '' }, response) => {
  const path = decodeURIComponent(url);
  const [html] = bad[path.slice(1)] ?? [files[path]];
  const type = path.endsWith('.js') ? 'text/javascript' : 'text/html';
  const policy = "default-src 'self'; img-src http: data:";
  response.writeHead(html === undefined ? 404 : 200, {
    'content-type': type,
    'content-security-policy': policy,
  });
  response.end(html === undefined ? '' : type === 'text/html' ? page(html) : html);
});
const page = (body: string): string =>
  `<!doctype html><html lang="en"><link rel="icon" href="data:"><title>t</title><main><h1>t</h1>${body}</main>`;

describe.skipIf(!hasBrowser)('the browser of the tests', () => {
  const browser = useBrowser();
  let base = '';
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((done) => server.close(done)));

  test.each(Object.entries(bad))('notices a page that %s', async (name, [, problem]) => {
    const visit = await browser.visit();
    visit.expectOrigin(base);
    await visit.open(`/${name}`);
    expect(await visit.problems()).toContainEqual(expect.stringMatching(problem));
    await visit.close();
  });

  test('notices an image without alt text', async () => {
    const visit = await browser.visit();
    visit.expectOrigin(base);
    await visit.open('/good');
    expect(await visit.accessibilityProblems()).toEqual([]);
    await visit.page.evaluate('document.querySelector("p").innerHTML = "<img src=x>"');
    expect(await visit.accessibilityProblems()).toEqual([expect.stringMatching(/^image-alt/)]);
    await visit.close();
  });

  test.each(displays)('accepts a good page: %o', async (display) => {
    const visit = await browser.visit({ display });
    visit.expectOrigin(base);
    expect(await visit.open('/good')).toBe(200);
    expect(await visit.problems()).toEqual([]);
    expect(await visit.accessibilityProblems()).toEqual([]);
    await visit.close();
  });
});
