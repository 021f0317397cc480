import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeHtml } from '../build/safe-html.ts';
import { cutHtml } from './cut-html.ts';

const clean = (html: string): string => safeHtml(html, (address) => address ?? undefined);

test.each([
  ['<p>some text</p>', 100, '<p>some text</p>'],
  ['<p>some text</p>', 14, '<p>some…</p>'],
  ['<p>some <b>bold</b> text</p>', 23, '<p>some <b>b…</b></p>'],
  ['<p>some <b>bold</b> text</p>', 22, '<p>some …</p>'],
  ['<p>a</p><p>b</p>', 14, '<p>a…</p>'],
  ['<p>&amp;&amp;&amp;</p>', 17, '<p>&amp;…</p>'],
  ['<p>ääää</p>', 14, '<p>ää…</p>'],
  ['<p>😀😀</p>', 14, '<p>😀…</p>'],
  ['<a href="https://example.org/">link</a>', 20, ''],
  ['<ul><li>one</li><li>two</li></ul>', 31, '<ul><li>one…</li></ul>'],
  ['text', 3, ''],
])('%s in %d bytes', (html, most, expected) => {
  expect(cutHtml(html, most)).toBe(expected);
});

test('a truncated document has closed tags and fits its bytes', () => {
  const piece = fc.constantFrom(
    ...[
      '<p>',
      '</p>',
      '<b>',
      '</b>',
      '<ul>',
      '<li>',
      '</ul>',
      '<table><tr><td>',
      '</table>',
      '<br>',
    ],
    ...[
      'text ',
      '&lt;',
      '&',
      '<',
      '>',
      'ä',
      '😀',
      '<a href="https://example.org/?a&b">',
      '</a>',
      '"',
    ],
    ...['<details><summary>', '</summary>', '<pre><code>', '</code></pre>', '<img alt="x">'],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.nat(600), (parts, most) => {
      const html = clean(parts.join(''));
      const cut = cutHtml(html, most);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(most);
      if (cut === html || cut === '') return;
      const end = cut.lastIndexOf('…');
      expect(html.startsWith(cut.slice(0, end))).toBe(true);
      expect(cut.slice(end + 1)).toMatch(/^(?:<\/\w+>)*$/);
      expect(openIn(cut)).toEqual([]);
      expect(cut.slice(0, end)).not.toMatch(/&[^;]*$|[\ud800-\udbff]$/);
    }),
  );
});

/** The names of elements without an end tag or without a start tag. */
function openIn(html: string): string[] {
  const open: string[] = [];
  for (const [tag, slash, name = ''] of html.matchAll(/<(\/?)(\w+)[^>]*>/g)) {
    if (tag.endsWith('/>') || name === 'br') continue;
    if (slash === '') open.push(name);
    else if (open.pop() !== name) return [tag];
  }
  return open;
}
