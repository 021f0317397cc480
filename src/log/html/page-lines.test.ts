import { expect, test } from 'vitest';
import { feed } from '../../../test/log/split.ts';
import { createLogPipeline } from '../log-pipeline.ts';
import { toBytes, toText } from '../text.ts';
import type { PageHead } from './page.ts';

const page = async (log: string, head: PageHead = { title: '' }): Promise<string> =>
  toText(feed(await createLogPipeline({ format: 'html', page: head }), toBytes(log)));
const body = async (log: string, hasFailed = false): Promise<string> =>
  /<main[^>]*>\n([^]*)<\/main>/.exec(await page(log, { title: '', hasFailed }))?.[1] ?? '';

const anchor = (line: number): string => `<a href="#L${line}">${line}</a>`;
const line = (number: number, html: string): string =>
  `<div id="L${number}">${anchor(number)}${html || '<br>'}</div>\n`;
const section = (attributes: string, inside: string): string =>
  `<section><details${attributes}>${inside}</details></section>\n`;
const summary = (number: number, name: string): string =>
  `<summary id="L${number}">${anchor(number)}${name}</summary>\n`;

test.each([
  ['no section', 'a\n\nb', line(1, 'a') + line(2, '') + line(3, 'b')],
  ['nothing', '', ''],
  [
    'lines before a section',
    'a\n--- b\nc\n',
    line(1, 'a') + section('', summary(2, 'b') + line(3, 'c')),
  ],
  [
    'sections one after the other',
    '--- a\n1\n+++ b\n2\n~~~ c\n3\n',
    section('', summary(1, 'a') + line(2, '1')) +
      section(' open', summary(3, 'b') + line(4, '2')) +
      section(' class="muted"', summary(5, 'c') + line(6, '3')),
  ],
  [
    'a section that a line opens, and the next',
    '--- a\n1\n^^^ +++\n2\n--- b\n3\n',
    section(' open', summary(1, 'a') + line(2, '1') + line(3, '^^^ +++') + line(4, '2')) +
      section('', summary(5, 'b') + line(6, '3')),
  ],
  ['a line that opens nothing', 'a\n^^^ +++\n', line(1, 'a') + line(2, '^^^ +++')],
  ['a name that is markup', '--- <b>&"\n', section('', summary(1, '&lt;b&gt;&amp;&quot;'))],
  ['a name in another alphabet', '--- é日\n', section('', summary(1, 'é日'))],
])('shows a page of %s', async (_, log, expected) => {
  expect(await body(log)).toBe(expected);
});

test('the color of a header continues in its section', async () => {
  const red = (text: string): string => `<span style="color:var(--c1)">${text}</span>`;
  expect(await body('\x1b[31m--- a\nb\n')).toBe(section('', summary(1, 'a') + line(2, red('b'))));
  expect(await body('--- a\n\x1b[31m^^^ +++\nb\n')).toBe(
    section(' open', summary(1, 'a') + line(2, red('^^^ +++')) + line(3, red('b'))),
  );
});

test('streams a large folded section and opens it in place', async () => {
  const stage = await createLogPipeline({ format: 'html' });
  const lines = Buffer.from(`${'x'.repeat(9_999)}\n`.repeat(100));
  let given = stage.push(Buffer.from('--- a\n'));
  for (let read = 0; read < 5; read++) given += stage.push(lines);
  expect(given.length).toBeGreaterThan(3_700_000);
  given += stage.push(Buffer.from('^^^ +++\n^^^ +++\n--- b\n')) + stage.end();
  expect(given.match(/<details[^>]*>/g)).toEqual(['<details>', '<details open>', '<details>']);
  expect(given.match(/<\/details>/g)).toHaveLength(3);
  expect(
    given.match(/<summary[^>]*>.*(?=<)/g)?.map((text) => text.replace(/<[^>]*>/g, '')),
  ).toEqual(['1a', 'a (continued)', '504b']);
});

test('a line shows the day if it changes', async () => {
  const mark = (time: string): string => `\x1b_bk;t=${Date.parse(time)}\x07`;
  const html = await body(
    `${mark('2023-11-14T23:59:59Z')}a\n${mark('2023-11-14T23:59:59.5Z')}b\n` +
      `${mark('2023-11-15T00:00:00Z')}c\nd\n`,
  );
  expect(html.match(/<time>[^<]*|<div class="day">[^<]*/g)).toEqual([
    '<div class="day">2023-11-14',
    '<time>23:59:59',
    '<time>23:59:59',
    '<div class="day">2023-11-15',
    '<time>00:00:00',
  ]);
});

test('escapes the title', async () => {
  const title = async (text: string): Promise<string | undefined> =>
    /<title>([^]*)<\/title>/.exec(await page('', { title: text }))?.[1];
  expect(await title('a\nb\x1b\u0085c <é>\u202e')).toBe('a b c &lt;é&gt;');
});

test('a page is one document with one start', async () => {
  const stage = await createLogPipeline({ format: 'html', page: { title: 'T' } });
  const pieces = [stage.push(Buffer.from('a\n')), stage.push(Buffer.from('b\n')), stage.end()];
  const html = pieces.join('');
  expect(html).toMatch(/^<!doctype html>\n<html lang="en">\n/);
  expect(html).toMatch(/<\/main>\n<script>[^]*<\/script>\n<\/body>\n<\/html>\n$/);
  expect(html.match(/<!doctype/g)).toHaveLength(1);
});

const mark = (seconds: number): string => `\x1b_bk;t=${seconds * 1000}\x07`;

test("a section's duration lasts to the next one or the last time", async () => {
  const html = await body(
    `${mark(0)}--- a\n${mark(1)}x\n${mark(62)}+++ b\n${mark(63)}y\nz\n--- c\n`,
  );
  const took = [...html.matchAll(/<\/details>(.*)<\/section>\n/g)].map(([, text]) => text);
  expect(took).toEqual(['<span class="took">1m 2s</span>', '<span class="took">1s</span>', '']);
});

test.each([
  ['the last section alone', '--- a\n1\n--- b\n2\n', ['', ' open']],
  ['none where there is none', 'a\n', []],
  ['what is open as it is', '--- a\n+++ b\n', ['', ' open']],
])('for a failed job, opens %s', async (_, log, expected) => {
  const open = [...(await body(log, true)).matchAll(/<details( open)?>/g)];
  expect(open.map(([, word = '']) => word)).toEqual(expected);
});

const large = `--- a\n${`${'x'.repeat(9_999)}\n`.repeat(500)}`;

test.each([
  ['that fails', `${large}last\n`, true],
  ['that a line opens', `${large}last\n^^^ +++\n`, false],
])('shows the last lines of a large section: %s', async (_, log, hasFailed) => {
  const html = await body(log, hasFailed);
  const [folded = '', shown = ''] = html.split('</details>\n<details open>');
  expect(shown).toMatch(/^<summary>a \(continued\)<\/summary>\n<div id="L\d+">/);
  const opening = hasFailed ? '' : '<div id="L503">.*\\^\\^\\^ \\+\\+\\+</div>\\n';
  const end = `<div id="L502">.*last</div>\\n${opening}</details></section>\\n$`;
  expect(shown).toMatch(new RegExp(`x</div>\\n${end}`));
  expect(shown.length).toBeLessThan(512 * 1024);
  expect(folded).toMatch(/<\/div>\n$/);
  expect(html.match(/<div/g)).toHaveLength(html.match(/<\/div>/g)?.length ?? 0);
});

test('a very long line stays one line, even if a section is split', async () => {
  const log = `--- a\n${'y'.repeat(3_000_000)}\n${'z\n'.repeat(10_000)}^^^ +++\nlast\n`;
  const stage = await createLogPipeline({ format: 'html' });
  let html = '';
  for (let at = 0; at < log.length; at += 50_000)
    html += stage.push(Buffer.from(log.slice(at, at + 50_000)));
  html += stage.end();
  const [folded = '', shown = ''] = html.split('</details>\n<details open>');
  expect(folded).toMatch(/<\/div>\n$/);
  expect(shown).toMatch(/^<summary>a \(continued\)<\/summary>\n<div id="L\d+">/);
  expect(html.match(/y{1000}/g)).toHaveLength(3000);
  expect(html.match(/<div id="L2">/g)).toHaveLength(1);
  expect(html).toContain('<div id="L10004">');
  expect(html.match(/<div id="L/g)).toHaveLength(10_003);
});

test.each([3, 400_000, 2_400_000])(
  'a section with one line of %d bytes that is opened later stays whole',
  async (length) => {
    const log = `--- a\n${'y'.repeat(length)}\n^^^ +++\nlast\n`;
    const stage = await createLogPipeline({ format: 'html' });
    let html = '';
    for (let at = 0; at < log.length; at += 50_000)
      html += stage.push(Buffer.from(log.slice(at, at + 50_000)));
    html += stage.end();
    const inside = html.slice(html.indexOf('<main>'), html.indexOf('</main>'));
    expect(inside.replace(/y+/g, 'y').replace(/<\/details>\n<details open>.*\n/, '')).toMatch(
      /<\/summary>\n<div id="L2"><a href="#L2">2<\/a>y<\/div>\n<div id="L3">.*<\/div>\n<div id="L4">.*last<\/div>\n<\/details>/,
    );
    expect(inside.match(/y/g)).toHaveLength(length + (inside.match(/summary/g)?.length ?? 0));
  },
);

test('an endless line ends once', async () => {
  expect(await body('q'.repeat(700_000))).toMatch(/^<div id="L1"><a href="#L1">1<\/a>q+<\/div>\n$/);
});

const link = (address: string, text: string): string =>
  `<a href="${address}" rel="noopener noreferrer nofollow">${text}</a>`;
const to = (address: string): string => `\x1b]8;;${address}\x07`;

test.each([
  ['up to its end', `a${to('u')}b${to('')}c\n`, `a${link('u', 'b')}c`],
  ['up to the next', `${to('u')}a${to('v')}b${to('')}\n`, link('u', 'a') + link('v', 'b')],
  ['up to one that is not safe', `${to('u')}a${to('javascript:x')}b\n`, `${link('u', 'a')}b`],
  ['up to the end of its line', `${to('u')}a\n`, link('u', 'a')],
  ['that is ended twice', `${to('')}a${to('')}b\n`, 'ab'],
  ['in another alphabet', `${to('/é日?a&b')}a${to('')}\n`, link('/é日?a&amp;b', 'a')],
  [
    'around colours',
    `${to('u')}a\x1b[31mb\x1b[0m${to('')}\n`,
    link('u', 'a<span style="color:var(--c1)">b</span>'),
  ],
  ['ended by ST', `\x1b]8;id=1;u\x1b\\a\x1b]8;;\x1b\\\n`, link('u', 'a')],
])('a link %s', async (_, log, expected) => {
  expect(await body(log)).toBe(line(1, expected));
});
