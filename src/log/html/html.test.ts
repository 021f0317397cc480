import { expect, test } from 'vitest';
import { corpus } from '../../../test/log/corpus.ts';
import { everySplit, feed } from '../../../test/log/split.ts';
import { toBytes, toText } from '../text.ts';
import { createLogPipeline } from '../log-pipeline.ts';
import { lineContent } from './content.ts';
import { safeAddress } from './link.ts';
import { spans } from './span.ts';
import { plain, restyle } from '../style.ts';

const page = async (log: string): Promise<string> =>
  toText(feed(await createLogPipeline({ format: 'html', title: 'T' }), toBytes(log)));
const body = async (log: string): Promise<string> =>
  /<main>\n([^]*)<\/main>/.exec(await page(log))?.[1] ?? '';

const hostile = { ...corpus, 'a title': '', ...combined() };

/** Every log inside a section, in a link, in a colour and behind a mark. */
function combined(): Record<string, string> {
  const wrap = (log: string): string =>
    `--- ${log}\n\x1b_bk;t=1000\x07\x1b[31m\x1b]8;;http://x/\x07${log}\x1b]8;;${log}\x07y\n^^^ +++\n`;
  return Object.fromEntries(
    Object.entries(corpus).map(([name, log]) => [`${name}, wrapped`, wrap(log)]),
  );
}

const colour = String.raw`(?:background-)?color:#[0-9A-Fa-f]{3,6}`;
const tags = new RegExp(
  `^(?:<div id="L\\d+">|</?(?:b|i|u|strike|time|main|body|head|html)>|</(?:div|a|span|details|summary|style|title)>|<a href="#L\\d+">|<a href="[^"<>]*" rel="noopener noreferrer nofollow">|<span style="(?:${colour}|text-decoration:overline)">|<span class="faint">|<details(?: open)?(?: class="muted")?>|<summary(?: id="L\\d+")?>|<title>|<style>|<html lang="en">|<meta [^>]*>|<!doctype html>)$`,
);

test.each(Object.entries(hostile))('has no active content: %s', async (_, log) => {
  const html = toText(feed(await createLogPipeline({ format: 'html', title: log }), log));
  for (const [tag] of html.matchAll(/<[^>]*>?/g)) expect(tag).toMatch(tags);
  const text = html.replace(/<style>[^<]*<\/style>|<[^>]*>/g, '');
  expect(text).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/);
  expect(html).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
  for (const [, address = ''] of html.matchAll(/href="([^"]*)"/g)) {
    expect(address).toMatch(/^(?:#L\d+$|https?:|mailto:|(?![^/?#]*:))/i);
  }
});

test.each(Object.entries(corpus))('is the same however it is split: %s', async (_, log) => {
  const whole = feed(await createLogPipeline({ format: 'html', title: 'T' }), log);
  for (const pieces of everySplit(log.slice(0, 120))) {
    const rest = log.slice(120);
    expect(feed(await createLogPipeline({ format: 'html', title: 'T' }), ...pieces, rest)).toBe(
      whole,
    );
  }
});

test('meta elements hold the policy and nothing that loads or leads away', async () => {
  const metas = [...(await page('')).matchAll(/<meta [^>]*>/g)].map(([meta]) => meta);
  expect(metas.filter((meta) => /refresh|url/i.test(meta))).toEqual([]);
  expect(metas.join()).toContain("default-src 'none'");
});

test('a line has its number as an anchor, its time, its colours and its links', async () => {
  const log =
    '\x1b_bk;t=1700000000123\x07\x1b[31mred\x1b[0m \x1b]8;;https://x/?a&b\x07here\x1b]8;;\x07\n';
  expect(await body(log)).toBe(
    '<div id="L1"><a href="#L1">1</a><time>2023-11-14 22:13:20</time>' +
      '<span style="color:#A00">red</span> ' +
      '<a href="https://x/?a&amp;b" rel="noopener noreferrer nofollow">here</a></div>\n',
  );
});

test('a colour goes on over lines', async () => {
  const html = await body('\x1b[32ma\nb\x1b[0m\n');
  expect(html.match(/<span style="color:#0A0">[ab]<\/span>/g)).toHaveLength(2);
});

test.each([
  ['--- a\nx\n', '<details><summary'],
  ['+++ a\nx\n', '<details open><summary'],
  ['~~~ a\nx\n', '<details class="muted"><summary'],
  ['--- a\nx\n^^^ +++\ny\n', '<details open><summary'],
  ['~~~ a\n^^^ +++\n', '<details open class="muted"><summary'],
])('folds %j', async (log, start) => {
  const html = await body(log);
  expect(html).toMatch(new RegExp(`^${start} id="L1">.*a</summary>\n`));
  expect(html.match(/<details/g)).toHaveLength(1);
  expect(html).toMatch(/<\/details>\n$/);
});

test.each([
  ['opened by its own marker', '+++ a\nx\n^^^ +++\nlast\n'],
  ['opened already', '--- a\nx\n^^^ +++\n^^^ +++\nlast\n'],
])('a section that was %s stays one', async (_, log) => {
  const html = await body(log);
  expect(html.match(/<details open>/g)).toHaveLength(1);
  expect(html).not.toContain('continued');
});

test('a section that is too large to hold is opened where it stands', async () => {
  const html = await body(`--- a\n${'x'.repeat(100_000).concat('\n').repeat(25)}^^^ +++\nlast\n`);
  expect(html).toMatch(
    /<\/details>\n<details open><summary>a \(continued\)<\/summary>\n<div.*last/,
  );
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
])('links to %j as %j', (address, expected) => {
  expect(safeAddress(address)).toBe(expected);
});

test.each([
  ['31', '<span style="color:#A00">'],
  ['1;3;4;9', '<b><i><u><strike>'],
  ['38;5;208', '<span style="color:#ff8700">'],
  ['48;2;1;2;3', '<span style="background-color:#010203">'],
  ['95', '<span style="color:#F5F">'],
  ['7', '<span style="color:#111"><span style="background-color:#ddd">'],
  ['7;31;44', '<span style="color:#00A"><span style="background-color:#A00">'],
  ['7;38;5;9', '<span style="color:#111"><span style="background-color:#F55">'],
  ['2', '<span class="faint">'],
  ['5;8', ''],
])('dresses %s', (parameters, open) => {
  const span = spans()(restyle(plain, parameters));
  expect(span.open).toBe(open);
  const closed = [...span.open.matchAll(/<(\w+)/g)].map(([, tag]) => `</${tag}>`).reverse();
  expect(span.close).toBe(closed.join(''));
});

test('any number of styles is met without keeping them all', () => {
  const spanOf = spans();
  let style = plain;
  for (let colour = 0; colour < 10_000; colour++) {
    style = restyle(plain, `38;2;${colour & 255};${colour >> 8};7`);
    expect(lineContent('x', style, spanOf).html).toMatch(/^<span style="color:#\w{6}">x<\/span>$/);
  }
});
