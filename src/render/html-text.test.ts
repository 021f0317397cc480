import { expect, test } from 'vitest';
import { htmlToText } from './html-text.ts';

test.each([
  ['', ''],
  ['<p> \n </p>', ''],
  ['plain', 'plain\n'],
  ['<h1>One</h1><h3>Three</h3>', '# One\n\n### Three\n'],
  ['<p>a<br>b</p><p>c</p>', 'a\nb\n\nc\n'],
  ['<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', '- a\n  - b\n- c\n'],
  ['<ol start="9"><li>a</li><li>b</li></ol>', ' 9.  a\n 10. b\n'],
  ['<ul><li><input type="checkbox" checked> a</li></ul>', '- [x] a\n'],
  ['<ul><li><input type="checkbox"> a</li></ul>', '- [ ] a\n'],
  ['<a href="https://e.org/x">text</a>', 'text [https://e.org/x]\n'],
  ['<a href="https://e.org/x">https://e.org/x</a>', 'https://e.org/x\n'],
  ['<p>run <code>a  b</code></p>', 'run `a b`\n'],
  ['<pre><code>if x:\n    y\n</code></pre><p>z</p>', '    if x:\n        y\n\nz\n'],
  ['a<pre>b</pre>c', 'a\n\n    b\n\nc\n'],
  [
    '<table><tr><th>Name</th><th>N</th></tr><tr><td>ab</td><td>10</td></tr></table>',
    'Name   N\nab     10\n',
  ],
  ['<blockquote><p>said</p></blockquote>', '> said\n'],
  ['<p><del>gone</del></p>', '~~gone~~\n'],
  ['<img class="emoji" alt=":rocket:" src="https://e.org/r.png">', ':rocket:\n'],
  ['<img alt="graph" src="https://e.org/g.png">', 'graph [https://e.org/g.png]\n'],
  ['<details><summary>More</summary><p>inside</p></details>', 'More\n\ninside\n'],
  ['<script>a()</script><style>b{}</style>c', 'c\n'],
  ['a &lt;b&gt; &amp;amp; &#x1f680;', 'a <b> &amp; 🚀\n'],
  ['<p>red &#27;[31m, \u009b2J and &#x202e;turned</p>', 'red ,  and turned\n'],
  ['<a href="x&#27;]8;;y">l</a>', 'l [x8;;y]\n'],
])('%s', (html, text) => {
  expect(htmlToText(html, Infinity)).toBe(text);
});

test('wraps lines at the width of the terminal', () => {
  expect(htmlToText('<p>one two three four and five</p>', 20)).toBe(
    'one two three four\nand five\n',
  );
});

test('table columns are as wide as the terminal shows them', () => {
  const html =
    '<table><tr><td>端数処理</td><td>a</td></tr><tr><td>:x: two</td><td>b</td></tr></table>';
  expect(htmlToText(html, 80, (text) => text.replace(':x:', '❌'))).toBe(
    '端数処理   a\n❌ two     b\n',
  );
});

test('a table that is too wide continues on lines below', () => {
  const html =
    '<table><tr><th>Test</th><th>File</th></tr><tr><td>rounds half to even</td><td>round.test.ts</td></tr></table>';
  expect(htmlToText(html, 30)).toBe(
    'Test             File\nrounds half to   round.test.ts\neven\n',
  );
});

test('cells that span columns keep the others aligned', () => {
  const html =
    '<table><tr><td rowspan="2">a</td><td colspan="2">b</td></tr><tr><td>c</td><td>d</td></tr></table>';
  expect(htmlToText(html, 80)).toBe('a   b\n    c   d\n');
  expect(htmlToText(html.replace('"2"', '"999999999"').replace('"2"', '"-1"'), 80)).toBe(
    'a   b\n    c   d\n',
  );
});

test('one long word adds no pages of spaces', () => {
  const rows = '<tr><td>a</td><td>b</td></tr>'.repeat(1000);
  const text = htmlToText(
    `<table><tr><td>${'x'.repeat(100_000)}</td><td>y</td></tr>${rows}</table>`,
    Infinity,
  );
  expect(text.length).toBeLessThan(400_000);
});

test('handles endless nesting', () => {
  expect(htmlToText(`top${'<div>'.repeat(50_000)}deep`, 80)).toMatch(/^top\s+…\n$/);
});

test('separates the texts of cells only by columns', () => {
  const html = `<table><tr><td>${'語 '.repeat(16)}</td><td>b</td></tr></table>`;
  const rows = htmlToText(html, 24).trimEnd().split('\n');
  expect(rows).toEqual([`${'語 '.repeat(7)}  b`, '語 語 語 語 語 語 語', '語 語']);
});
