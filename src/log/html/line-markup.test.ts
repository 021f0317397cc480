import { expect, test } from 'vitest';
import { corpus } from '../../../test/log/corpus.ts';
import { settle } from '../settle.ts';
import { chain } from '../stage.ts';
import { standalone } from '../style.ts';
import { toText } from '../text.ts';
import { lineMarkup } from './line-markup.ts';

const markupOf = lineMarkup();

test.each([
  ['a <b> & "c"', 'a &lt;b&gt; &amp; &quot;c&quot;'],
  ['\x1b[31mred\x1b[0m plain', '<span class="ink-1">red</span> plain'],
  ['\x1b[1;32mé\x1b[0m', '<b><span class="ink-2">é</span></b>'],
  ['\x1b[41mon red\x1b[49m', '<span><span class="ground-1">on red</span></span>'],
  ['', ''],
])('%j becomes %s', (line, expected) => expect(markupOf(line)).toBe(expected));

test('each line starts without colors', () => {
  expect([markupOf('\x1b[31mred'), markupOf('plain')]).toEqual([
    '<span class="ink-1">red</span>',
    'plain',
  ]);
});

test('drops colors that take many times their text', () => {
  const loud = Array.from({ length: 4000 }, (_, at) => `\x1b[38;2;${at % 256};9;9mx`).join('');
  expect(markupOf(loud)).toBe('x'.repeat(4000));
});

test.each(Object.entries(corpus))('%s: only classes, and no markup from the log', (_, log) => {
  const stage = chain(settle({ colours: true }), standalone());
  const lines = stage.push(Buffer.from(log, 'latin1')) + stage.end();
  for (const line of toText(lines).split('\n')) {
    const html = markupOf(line);
    expect(html).not.toMatch(/\sstyle=|<script|<img|[\x00-\x08\x0b-\x1f]/);
    for (const [, name] of html.matchAll(/<\/?([^\s>]*)/g)) expect(allowed).toContain(name);
  }
});

const allowed = ['span', 'b', 'i', 'u', 's', 'a', 'strike'];
