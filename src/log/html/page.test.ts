import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { Window } from 'happy-dom';
import { corpus } from '../../../test/log/corpus.ts';
import { everySplit, feed } from '../../../test/log/split.ts';
import { toBytes, toText } from '../text.ts';
import { createLogPipeline } from '../log-pipeline.ts';
import { safeAddress } from './markup.ts';
import { pageScript, scriptHash, type PageHead, pageEnd, pageStart } from './page.ts';
import { sampled } from '../../../test/support/full.ts';

const page = async (log: string): Promise<string> =>
  toText(feed(await createLogPipeline({ format: 'html', page: { title: 'T' } }), toBytes(log)));
const body = async (log: string): Promise<string> =>
  /<main[^>]*>\n([^]*)<\/main>/.exec(await page(log))?.[1] ?? '';

const hostile = { ...corpus, 'a title': '', ...combined() };

/** Every log inside a section, in a link, in color and after a mark. */
function combined(): Record<string, string> {
  const wrap = (log: string): string =>
    `--- ${log}\n\x1b_bk;t=1000\x07\x1b[31m\x1b]8;;http://x/\x07${log}\x1b]8;;${log}\x07y\n^^^ +++\n`;
  return Object.fromEntries(
    Object.entries(corpus).map(([name, log]) => [`${name}, wrapped`, wrap(log)]),
  );
}

const hex = '#[0-9a-f]{6}';
const colour = String.raw`(?:background-)?color:(?:${hex}|var\(--c\d+\)|light-dark\(${hex},${hex}\))`;
/** The tags of lines that a log can produce. */
const lineTags = String.raw`<div id="L\d+">|</?(?:b|i|u|strike|time|section)>|<br>|</(?:div|a|span|details|summary)>|<div class="day">|<a href="#L\d+">|<a href="[^"<>]*" rel="noopener noreferrer nofollow">|<span style="(?:${colour}|text-decoration:overline)">|<span title=":[\w+-]+:">|<span class="took">|<details(?: open)?(?: class="muted")?>|<summary(?: id="L\d+")?>`;
/** The tags of the page, whatever the log is. */
const pageTags = String.raw`</?(?:body|head|html|header|h1|p|span|title|style|script|output|main)>|<b class="(?:good|bad|busy)">|<main class="timed">|<html lang="en">|<meta [^>]*>|<!doctype html>|<nav hidden>|</nav>|</?button>|<button type="button" class="\w+"(?: aria-label="\w+")?>|<input type="search" placeholder="[^"<>]*" aria-label="[^"<>]*">`;
const tags = new RegExp(`^(?:${lineTags}|${pageTags})$`);

/** A page whose head contains the log everywhere, without its script. */
async function hostilePage(log: string): Promise<string> {
  const head = { title: log, job: log, build: log, address: log, facts: [log] };
  const state = { text: log, tone: 'bad' } as const;
  const stage = await createLogPipeline({ format: 'html', page: { ...head, state } });
  const html = toText(feed(stage, log));
  const parts = html.split(`<script>${pageScript}</script>`);
  expect(parts).toHaveLength(2);
  return parts.join('');
}

sampled.each(Object.entries(hostile))('has no active content: %s', async (_, log) => {
  const html = await hostilePage(log);
  for (const [tag] of html.matchAll(/<[^>]*>?/g)) expect(tag).toMatch(tags);
  expect(html).not.toMatch(/<script/);
  const text = html.replace(/<style>[^<]*<\/style>|<[^>]*>/g, '');
  expect(text).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;|#8593;|#8595;)/);
  expect(html).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
  for (const [, address = ''] of html.matchAll(/href="([^"]*)"/g)) {
    expect(address).toMatch(/^(?:#L\d+$|https?:|mailto:|(?![^/?#]*:))/i);
  }
});

sampled.each(Object.entries(hostile))(
  'a body has no tags but those of lines: %s',
  async (_, log) => {
    const allowed = new RegExp(`^(?:${lineTags})$`);
    for (const [tag] of (await body(log)).matchAll(/<[^>]*>?/g)) expect(tag).toMatch(allowed);
  },
);

test.each(Object.entries(hostile))(
  'each line ends with a newline in the source: %s',
  async (_, log) => {
    const html = await body(log);
    expect(html.replace(/<\/details>.*<\/section>\n|<\/details>\n(?=<details)/g, '')).toMatch(
      /^(?:.*<(?:\/div|\/summary)>\n)*$/,
    );
  },
);

sampled.each(Object.entries(corpus))('is the same however it is split: %s', async (_, log) => {
  const whole = feed(await createLogPipeline({ format: 'html', page: { title: 'T' } }), log);
  for (const pieces of everySplit(log.slice(0, 120))) {
    const rest = log.slice(120);
    expect(
      feed(await createLogPipeline({ format: 'html', page: { title: 'T' } }), ...pieces, rest),
    ).toBe(whole);
  }
});

test('meta elements contain the policy, and nothing that loads or redirects', async () => {
  const metas = [...(await page('')).matchAll(/<meta [^>]*>/g)].map(([meta]) => meta);
  expect(metas.filter((meta) => /refresh|url/i.test(meta))).toEqual([]);
  expect(metas.join()).toContain(
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-",
  );
});

test('a line has a number as anchor, a time, colors and links', async () => {
  const log =
    '\x1b_bk;t=1700000000123\x07\x1b[31mred\x1b[0m \x1b]8;;https://x/?a&b\x07here\x1b]8;;\x07\n';
  expect(await body(log)).toBe(
    '<div class="day">2023-11-14</div><div id="L1"><a href="#L1">1</a><time>22:13:20</time>' +
      '<span style="color:var(--c1)">red</span> ' +
      '<a href="https://x/?a&amp;b" rel="noopener noreferrer nofollow">here</a></div>\n',
  );
});

test('writes a long line in invisible chunks', async () => {
  const piece = 'x'.repeat(16 * 1024 - 3);
  for (const text of [`${piece}:key:y`, `${piece}é:key: `, `${piece}  :key: `]) {
    const html = await body(`\x1b[31m${text}`);
    const shown = text.replace(/ :key: $/, ' <span title=":key:">🔑</span> ');
    expect(html).toContain(`</a><span style="color:var(--c1)">${shown}</span></div>`);
  }
});

test('a color continues over lines', async () => {
  const html = await body('\x1b[32ma\nb\x1b[0m\n');
  expect(html.match(/<span style="color:var\(--c2\)">[ab]<\/span>/g)).toHaveLength(2);
});

test.each([
  ['--- a\nx\n', '<details><summary'],
  ['+++ a\nx\n', '<details open><summary'],
  ['~~~ a\nx\n', '<details class="muted"><summary'],
  ['--- a\nx\n^^^ +++\ny\n', '<details open><summary'],
  ['~~~ a\n^^^ +++\n', '<details open class="muted"><summary'],
])('folds %j', async (log, start) => {
  const html = await body(log);
  expect(html).toMatch(new RegExp(`^<section>${start} id="L1">.*a</summary>\n`));
  expect(html.match(/<details/g)).toHaveLength(1);
  expect(html).toMatch(/<\/details><\/section>\n$/);
});

test.each([
  ['opened by its own marker', '+++ a\nx\n^^^ +++\nlast\n'],
  ['opened already', '--- a\nx\n^^^ +++\n^^^ +++\nlast\n'],
])('a section that was %s stays one', async (_, log) => {
  const html = await body(log);
  expect(html.match(/<details open>/g)).toHaveLength(1);
  expect(html).not.toContain('continued');
});

test.each([
  ['https://x/y?z#a', 'https://x/y?z#a'],
  ['HTTP://x', 'HTTP://x'],
  ['mailto:a@b', 'mailto:a@b'],
  ['docs/a.html', 'docs/a.html'],
  ['/a:b', '/a:b'],
  ['?a=b:c', '?a=b:c'],
  ['#a:b', '#a:b'],
  ['javascript:alert(1)', undefined],
  ['JavaScript:alert(1)', undefined],
  [' \tjava\nscript:alert(1)', undefined],
  ['java\u200bscript:x', undefined],
  ['data:text/html,x', undefined],
  ['vbscript:x', undefined],
  ['file:///etc/passwd', undefined],
  ['//evil.example', undefined],
  ['\\\\evil.example', undefined],
  ['', undefined],
])('links %j to %j', (address, expected) => {
  expect(safeAddress(address)).toBe(expected);
});

const headOf = (head: PageHead): string | undefined =>
  /<header>\n([^]*)<\/header>/.exec(toText(pageStart(head, false)))?.[1];

test('the policy allows only the one script, by its hash', () => {
  expect(scriptHash).toBe(`sha256-${createHash('sha256').update(pageScript).digest('base64')}`);
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(
    pageStart({ title: '' }, false),
  )?.[1];
  expect(policy).toBe(
    `default-src 'none'; style-src 'unsafe-inline'; script-src '${scriptHash}'; base-uri 'none'; form-action 'none'`,
  );
  expect(pageStart({ title: '' }, false)).not.toContain('<script');
  expect(pageEnd.split(`<script>${pageScript}</script>`)).toHaveLength(2);
});

test('the script creates no markup, loads nothing and cannot end early', () => {
  expect(pageScript).not.toMatch(
    /<\/|<!|innerHTML|outerHTML|insertAdjacent|write\(|eval|Function|fetch|import|\.src|\.href|cssText/,
  );
  expect(pageScript).toMatch(/^[\x0a\x20-\x7e]*$/);
});

test('the head shows job, build, state and details', () => {
  const head: PageHead = {
    title: 'acme/web/7#id',
    job: ':rocket: Deploy <é>',
    build: 'acme/web/7',
    address: 'https://ci.example/7?a&b#id',
    state: { text: '✗ failed', tone: 'bad' },
    facts: ['2m 3s', 'exit status 1'],
  };
  expect(headOf(head)).toBe(`<h1><span title=":rocket:">🚀</span> Deploy &lt;é&gt;</h1>
<p><b class="bad">✗ failed</b>
<a href="https://ci.example/7?a&amp;b#id" rel="noopener noreferrer nofollow">acme/web/7</a>
<span>2m 3s</span>
<span>exit status 1</span>
<span>times in UTC</span></p>
`);
});

test('a head without details shows the title', () => {
  expect(headOf({ title: 'a\u202eb\nc' })).toBe(
    `<h1>ab c</h1>\n<p><span>times in UTC</span></p>\n`,
  );
});

test.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'relative', ''])(
  'does not link a build to %j',
  (address) => {
    expect(headOf({ title: 't', build: 'b', address })).toContain('<span>b</span>');
  },
);

const log = `before\n--- one\n\x1b[31mAn er\x1b[0mror [a.b]\n12:30 fine\n+++ two\nERROR\n--- three\nlast\n`;

/** A page opened in a browser at one of its anchors. */
async function open(text: string, hash = '', mediaType = 'screen') {
  const settings = { device: { mediaType } };
  const window = new Window({ url: `file:///log.html${hash}`, settings });
  const { document } = window;
  const page = { title: '' };
  const html = toText(feed(await createLogPipeline({ format: 'html', page }), toBytes(text)));
  document.write(html.replace(`<script>${pageScript}</script>`, ''));
  const ranges = new Set<{ toString(): string }>();
  const seen: string[] = [];
  window.Element.prototype.scrollIntoView = function scroll(this: { id: string }) {
    seen.push(this.id);
  };
  class Highlight {
    add = (range: { toString(): string }) => ranges.add(range);
    constructor() {
      ranges.clear();
    }
  }
  runInNewContext(pageScript, {
    ...{ document, Highlight, NodeFilter: window.NodeFilter, location: window.location },
    ...{ CSS: { highlights: new Map() }, clearTimeout: () => undefined },
    // Runs the search immediately instead of after the delay.
    setTimeout: (run: () => void) => {
      run();
    },
    addEventListener: window.addEventListener.bind(window),
  });
  const field = document.querySelector('input');
  const press = (key: string, more = {}) =>
    field?.dispatchEvent(new window.KeyboardEvent('keydown', { key, bubbles: true, ...more }));
  return {
    ...{ window, document, press, seen },
    type(value: string) {
      if (field) field.value = value;
      field?.dispatchEvent(new window.Event('input'));
    },
    all: () =>
      [...document.querySelectorAll('button')].find(({ className }) => className === 'all'),
    now: () => document.querySelector('.now')?.id,
    count: () => document.querySelector('output')?.textContent,
    marked: () => [...ranges].map(String),
    folds: () => [...document.querySelectorAll('details')].map(({ open: isOpen }) => isOpen),
  };
}

test('search ignores case and colors, and skips numbers and times', async () => {
  const page = await open(log);
  page.type('error');
  expect([page.count(), page.now(), page.marked()]).toEqual(['1 of 2', 'L3', ['error', 'ERROR']]);
  page.type('3');
  expect([page.count(), page.now()]).toEqual(['1 of 1', 'L4']);
  page.type('.b]');
  expect([page.count(), page.marked()]).toEqual(['1 of 1', ['.b]']]);
  page.type('nowhere');
  expect([page.count(), page.now(), page.marked()]).toEqual(['none', undefined, []]);
});

test.each(['--- a-b', '^$\\.*+?()[]{}|/', '\\d', '!"#&,:;<=>@_`~%\''])(
  'searches for %j literally',
  async (text) => {
    const page = await open(`other\n>${text}<\n`);
    page.type(`>${text}<`);
    expect([page.count(), page.marked()]).toEqual(['1 of 1', [`>${text}<`]]);
  },
);

test('marks only as many matches in an endless line as can be viewed', async () => {
  const page = await open(`${'z'.repeat(20_000)}\nz\n`);
  page.type('z');
  expect([page.count(), page.marked().length]).toEqual(['1 of 2', 5000]);
});

test('Enter cycles through matches and opens their sections', async () => {
  const page = await open(log);
  expect(page.folds()).toEqual([false, true, false]);
  page.type('e');
  const found = [page.now()];
  for (let press = 0; press < 6; press++) {
    page.press('Enter');
    found.push(page.now());
  }
  expect(found).toEqual(['L1', 'L2', 'L3', 'L4', 'L6', 'L7', 'L1']);
  expect(page.folds()).toEqual([true, true, false]);
  page.press('Enter', { shiftKey: true });
  expect([page.now(), page.count()]).toEqual(['L7', '6 of 6']);
  page.press('Escape');
  expect([page.now(), page.count()]).toEqual([undefined, '']);
});

test('a URL opens the section of its line', async () => {
  const page = await open(log, '#L8');
  expect([page.folds(), page.seen]).toEqual([[false, true, true], ['L8']]);
  page.window.location.hash = '#L4';
  page.window.dispatchEvent(new page.window.Event('hashchange'));
  expect(page.folds()).toEqual([true, true, true]);
});

test.each(['#L99', '#x', '#L1"]'])('ignores a URL without a valid line: %s', async (hash) => {
  const page = await open(log, hash);
  expect([page.folds(), page.seen]).toEqual([[false, true, false], []]);
});

test('opens and closes all sections', async () => {
  const { window, all, folds } = await open(log);
  const press = () => void all()?.dispatchEvent(new window.Event('click'));
  press();
  expect([folds(), all()?.textContent]).toEqual([[true, true, true], 'Close all']);
  press();
  expect([folds(), all()?.textContent]).toEqual([[false, false, false], 'Open all']);
});

test('the script shows the bar, without section buttons if there are no sections', async () => {
  const [page, without] = [await open(log), await open('a\n')];
  expect(page.document.querySelector('nav')?.hidden).toBe(false);
  expect([page.all()?.hidden, without.all()?.hidden]).toEqual([false, true]);
});

test.each([
  ['screen', 'flex'],
  ['print', 'none'],
])('for %s, the bar is laid out as %s', async (mediaType, display) => {
  const { window, document } = await open(log, '', mediaType);
  const bar = document.querySelector('nav');
  expect(bar && window.getComputedStyle(bar).display).toBe(display);
});
