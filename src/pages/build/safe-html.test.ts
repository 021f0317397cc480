import { expect, test } from 'vitest';
import { safeHtml, withEmojis } from './safe-html.ts';

const own = 'http://127.0.0.1:1234';
const link = (address: string | null | undefined): string | undefined =>
  address?.startsWith(`${own}/`) === true
    ? address.slice(own.length)
    : /^https?:/.test(address ?? '')
      ? (address ?? undefined)
      : undefined;

const clean = (html: string): string => safeHtml(html, link);

test.each([
  ['<script>x</script>a', 'a'],
  ['<style>* { display: none }</style>a', 'a'],
  ['<p style="position:fixed" class="bar" id="jobs" onclick="x()">a</p>', '<p>a</p>'],
  ['<a href="javascript:x()">a</a>', '<a>a</a>'],
  ['<a href="&#x6A;avascript:x()">a</a>', '<a>a</a>'],
  ['<a href="//evil.example/">a</a>', '<a>a</a>'],
  [
    '<a href="https://example.org/" target="_blank" id="x">a</a>',
    '<a href="https://example.org/">a</a>',
  ],
  [`<a href="${own}/local/p">a</a>`, '<a href="/local/p">a</a>'],
  ['<form action="/local/p/builds/1/cancel"><button>a</button></form>', 'a'],
  ['<iframe src="https://evil.example/"></iframe>a', 'a'],
  ['<svg onload="x()"><a>a</a></svg>', '<a>a</a>'],
  ['<math><mi href="javascript:x()">a</mi></math>', 'a'],
  ['<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=x">a', 'a'],
  ['<object data="x"></object><embed src="x">a', 'a'],
])('%s becomes %s', (html, expected) => expect(clean(html)).toBe(expected));

test('replaces an external image by its text, and keeps one of the service', () => {
  expect(clean('<img src="https://evil.example/x.png" alt="a <b>">')).toBe(
    '<span>a &lt;b&gt;</span>',
  );
  expect(clean('<img src="data:image/png;base64,AAAA" alt="d">')).toBe('<span>d</span>');
  expect(clean(`<img src="${own}/emojis/1f600.svg" onerror="x()">`)).toBe(
    '<img src="/emojis/1f600.svg" alt="" />',
  );
});

test('shows task list boxes as characters', () => {
  expect(
    clean(
      '<ul><li><input type="checkbox" disabled checked> a</li><li><input type="checkbox"> b</li></ul>',
    ),
  ).toBe('<ul><li><span>☑</span> a</li><li><span>☐</span> b</li></ul>');
  expect(clean('<input type="text" name="form_token" value="x">')).toBe('');
});

test("headings rank below the annotations', and empty ones are removed", () => {
  expect(clean('<h1>a</h1><h6>b</h6><h2> </h2><a href="https://x.example"></a>')).toBe(
    '<h3>a</h3><h3>b</h3>',
  );
});

test('an element outside its list or table is text', () => {
  expect(clean('<li>a</li><td>b</td><dt>c</dt>')).toBe('abc');
  expect(clean('<ul>a<li>b<ol><li>c</li></ol></li></ul>')).toContain(
    '<li>b<ol><li>c</li></ol></li>',
  );
});

test('keeps formatting', () => {
  const html =
    '<p><strong>a</strong> <em>b</em> <code>c</code> <del>d</del></p><pre><code>e</code></pre>' +
    '<table><thead><tr><th align="right">f</th></tr></thead><tbody><tr><td colspan="2">g</td></tr></tbody></table>' +
    '<details open><summary>h</summary>i</details><blockquote>j</blockquote>';
  expect(clean(html)).toBe(html);
});

const rocket = '<span title=":rocket:">🚀</span>';

test.each([
  ['<p>:rocket: Release</p>', `<p>${rocket} Release</p>`],
  ['<p>a (:rocket:) <b>:rocket:</b></p>', `<p>a (${rocket}) <b>${rocket}</b></p>`],
  [
    '<a href="https://x.example/?:rocket:">:rocket:</a>',
    `<a href="https://x.example/?:rocket:">${rocket}</a>`,
  ],
  ['<p>é :rocket:é</p>', `<p>é ${rocket}é</p>`],
])('%s is %s', (html, expected) => expect(withEmojis(html)).toBe(expected));

test.each([
  '<code>:rocket:</code>',
  '<pre><b>x</b> :rocket:</pre>',
  '<p><code>a <i>b</i> :rocket:</code></p>',
  '<kbd>:rocket:</kbd><samp> :rocket:</samp>',
  '<img src="/x" alt=":rocket:" />',
  '<p>12:rocket:30 x:rocket: :rocket:: :no-such-thing: &amp;:rocket:</p>',
])('keeps %s', (html) => expect(withEmojis(html)).toBe(html));

test('resumes formatting after code', () => {
  expect(withEmojis('<code>:rocket:</code> :rocket:')).toBe(`<code>:rocket:</code> ${rocket}`);
});
