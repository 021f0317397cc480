import { expect, test } from 'vitest';
import { feed } from '../../../test/log/split.ts';
import { createLogPipeline } from '../log-pipeline.ts';
import { toBytes, toText } from '../text.ts';

const page = async (log: string, title?: string): Promise<string> =>
  toText(
    feed(
      await createLogPipeline({ format: 'html', ...(title === undefined ? {} : { title }) }),
      toBytes(log),
    ),
  );
const body = async (log: string): Promise<string> =>
  /<main>\n([^]*)<\/main>/.exec(await page(log))?.[1] ?? '';

const anchor = (line: number): string => `<a href="#L${line}">${line}</a>`;
const line = (number: number, html: string): string =>
  `<div id="L${number}">${anchor(number)}${html}</div>\n`;
const summary = (number: number, name: string): string =>
  `<summary id="L${number}">${anchor(number)}${name}</summary>\n`;

test.each([
  ['no section', 'a\n\nb', line(1, 'a') + line(2, '') + line(3, 'b')],
  ['nothing', '', ''],
  [
    'lines before a section',
    'a\n--- b\nc\n',
    `${line(1, 'a')}<details>${summary(2, 'b')}${line(3, 'c')}</details>\n`,
  ],
  [
    'sections one after the other',
    '--- a\n1\n+++ b\n2\n~~~ c\n3\n',
    `<details>${summary(1, 'a')}${line(2, '1')}</details>\n` +
      `<details open>${summary(3, 'b')}${line(4, '2')}</details>\n` +
      `<details class="muted">${summary(5, 'c')}${line(6, '3')}</details>\n`,
  ],
  [
    'a section that a line opens, and the next',
    '--- a\n1\n^^^ +++\n2\n--- b\n3\n',
    `<details open>${summary(1, 'a')}${line(2, '1')}${line(4, '2')}</details>\n` +
      `<details>${summary(5, 'b')}${line(6, '3')}</details>\n`,
  ],
  ['a line that opens nothing', 'a\n^^^ +++\nb\n', line(1, 'a') + line(3, 'b')],
  [
    'a name that is markup',
    '--- <b>&"\n',
    `<details>${summary(1, '&lt;b&gt;&amp;&quot;')}</details>\n`,
  ],
  ['a name in another alphabet', '--- é日\n', `<details>${summary(1, 'é日')}</details>\n`],
])('a page of %s', async (_, log, expected) => {
  expect(await body(log)).toBe(expected);
});

test('colours of a header go on in its section', async () => {
  const red = (text: string): string => `<span style="color:#A00">${text}</span>`;
  expect(await body('\x1b[31m--- a\nb\n')).toBe(
    `<details>${summary(1, 'a')}${line(2, red('b'))}</details>\n`,
  );
  expect(await body('--- a\n\x1b[31m^^^ +++\nb\n')).toBe(
    `<details open>${summary(1, 'a')}${line(3, red('b'))}</details>\n`,
  );
});

test('a large folded section is given as it comes, and is opened once where it stands', async () => {
  const stage = await createLogPipeline({ format: 'html' });
  const lines = Buffer.from(`${'x'.repeat(9_999)}\n`.repeat(100));
  let given = stage.push(Buffer.from('--- a\n'));
  for (let read = 0; read < 5; read++) given += stage.push(lines);
  expect(given.length).toBeGreaterThan(3_900_000);
  given += stage.push(Buffer.from('^^^ +++\n^^^ +++\n--- b\n')) + stage.end();
  expect(given.match(/<details[^>]*>/g)).toEqual(['<details>', '<details open>', '<details>']);
  expect(given.match(/<\/details>/g)).toHaveLength(3);
  expect(
    given.match(/<summary[^>]*>.*(?=<)/g)?.map((text) => text.replace(/<[^>]*>/g, '')),
  ).toEqual(['1a', 'a (continued)', '504b']);
});

test('a line has the day of its time where that changes', async () => {
  const mark = (time: string): string => `\x1b_bk;t=${Date.parse(time)}\x07`;
  const html = await body(
    `${mark('2023-11-14T23:59:59Z')}a\n${mark('2023-11-14T23:59:59.5Z')}b\n` +
      `${mark('2023-11-15T00:00:00Z')}c\nd\n`,
  );
  expect(html.match(/<time>[^<]*/g)).toEqual([
    '<time>2023-11-14 23:59:59',
    '<time>23:59:59',
    '<time>2023-11-15 00:00:00',
  ]);
});

test('a title is text', async () => {
  const title = async (text?: string): Promise<string | undefined> =>
    /<title>([^]*)<\/title>/.exec(await page('', text))?.[1];
  expect(await title()).toBe('');
  expect(await title('a\nb\x1b\u0085c <é>\u202e')).toBe('a b  c &lt;é&gt;');
});

test('a page is one document, begun once', async () => {
  const stage = await createLogPipeline({ format: 'html', title: 'T' });
  const pieces = [stage.push(Buffer.from('a\n')), stage.push(Buffer.from('b\n')), stage.end()];
  const html = pieces.join('');
  expect(html).toMatch(/^<!doctype html>\n<html lang="en">\n/);
  expect(html).toMatch(/<\/main>\n<\/body>\n<\/html>\n$/);
  expect(html.match(/<!doctype/g)).toHaveLength(1);
  expect(html).toContain('<style>\nbody { margin: 0; background: #111; color: #ddd; }');
  expect(html).toContain('.muted summary {');
  expect(html).toContain('.faint {');
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
    link('u', 'a<span style="color:#A00">b</span>'),
  ],
  ['ended by ST', `\x1b]8;id=1;u\x1b\\a\x1b]8;;\x1b\\\n`, link('u', 'a')],
])('a link %s', async (_, log, expected) => {
  expect(await body(log)).toBe(line(1, expected));
});
