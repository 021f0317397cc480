import { expect, test } from 'vitest';
import { safeHtml } from './safe-html.ts';
import { shallowHtml } from './shallow-html.ts';

test.each([
  ['<p>a<p>b'.repeat(1000)],
  ['<ul><li>a<li>b</ul><br><img src="x">'.repeat(1000)],
  ['<div><span>a</span></div>'.repeat(1000)],
  ['<svg><path/><path/></svg>'.repeat(1000)],
  ['<table><tr><td>a<td>b<tr><td>c</table><dl><dt>a<dd>b</dl>'.repeat(1000)],
  [`<table>${'<tr><td>a<td>b'.repeat(1000)}</table>`],
  ['a < b <<< c </b> </b>'.repeat(1000)],
])('%# keeps shallow HTML unchanged', (html) => {
  expect(shallowHtml(html)).toBe(html);
});

test.each(['<div>', '<DIV class="a">', '<b x', '<constructor>', '<ul><li>', '<li><p>'])(
  'keeps a part of endless %s',
  (tag) => {
    const html = `<p>before</p>${tag.repeat(100_000)}`;
    const left = shallowHtml(html);
    expect(left.startsWith('<p>before</p>')).toBe(true);
    expect(left.length).toBeLessThan(10_000);
  },
);

test('limits what a parser gets', () => {
  expect(safeHtml(`<p>before</p>${'<div>'.repeat(100_000)}after`, () => undefined)).toHaveLength(
    '<p>before</p>'.length + 256 * '<div></div>'.length,
  );
});

test.each(['<div/>', '<div title="</div>">', '<div><!-- </div> -->', '<b/><p/>'])(
  'limits %s without an end, keeping its text',
  (tag) => {
    const html = `<p>be<b>fo</b>re</p>${tag.repeat(20_000)}a &lt; b`;
    expect(safeHtml(html, () => undefined)).toMatch(/^before[^<]*a &lt; b$/);
  },
);

test('HTML that passes the first check passes the second', () => {
  const html = `${'<div>'.repeat(255)}<br><img src="x">text`;
  expect(safeHtml(html, () => undefined)).toContain('text</div>');
});
