import { expect, test } from 'vitest';
import { plain, restyle } from '../style.ts';
import { cutLine, windowLines, lastLines } from './window-lines.ts';

const linesOf = (lines: string, first = 1, sgr = ''): string =>
  windowLines({ lines, first, before: sgr === '' ? plain : restyle(plain, sgr) });

test('lines continue with their number and style, with times and escaped text', () => {
  expect(linesOf('\x1b_bk;t=1000\x07<b>\n\x1b[0ma\n\nb', 99, '31')).toBe(
    '<div id="L99"><a tabindex="-1" href="#L99">99</a><time>00:00:01</time><span class="ink-1">&lt;b&gt;</span></div>\n' +
      '<div id="L100"><a tabindex="-1" href="#L100">100</a>a</div>\n' +
      '<div id="L101"><a tabindex="-1" href="#L101">101</a><br></div>\n' +
      '<div id="L102"><a tabindex="-1" href="#L102">102</a>b</div>\n',
  );
});

test('shows a line that opens its section', () => {
  expect(linesOf('^^^ +++')).toBe('<div id="L1"><a tabindex="-1" href="#L1">1</a>^^^ +++</div>\n');
});

test('shows the start of a line that is too long, and its color continues', () => {
  const html = linesOf(
    `${'x'.repeat(4990)}\x1b[31m${'é'.repeat(1000)}\nb\n`.replaceAll('é', '\xc3\xa9'),
  );
  expect(html).toMatch(/x<span class="ink-1">(\xc3\xa9){2}<\/span><i>1996 more bytes<\/i><\/div>/);
  expect(html).toContain('<span class="ink-1">b</span>');
});

test.each([
  ['a sequence', `${'x'.repeat(4998)}\x1b[31;1myyy\n`],
  ['a link', `${'x'.repeat(4998)}\x1b]8;;http://a.example/\x07yyy\n`],
  ['the end of a link', `${'x'.repeat(4990)}\x1b]8;;\x1b\\yyyyyyyyyyyyyy\n`],
  ['a character', `${'x'.repeat(4999)}\xf0\x9f\x8e\x89\n`],
])('never splits a line inside %s', (_, line) => {
  const { shown, rest } = cutLine(line);
  expect(shown.length + rest).toBe(line.length - 1);
  expect(shown).toMatch(/^x+(\x1b\]8;;\x1b\\y*)?$/);
});

const shown = (text: string, most = 10): string => lastLines(Buffer.from(text), most);

test('shows only whole lines, without numbers', () => {
  expect(shown('t of one\ntwo\nthree\r\n')).toBe('<div>two</div>\n<div>three</div>\n');
});

test('shows the last of many lines', () => {
  expect(shown('\n1\n2\n3\n4', 2)).toBe('<div>3</div>\n<div>4</div>\n');
});

test('hides overwritten text and timestamps', () => {
  expect(shown('\n\x1b_bk;t=0\x07a 1%\ra 100%\n')).toMatch(
    /^<div><time>.*<\/time>a 100%<\/div>\n$/,
  );
});

test('handles a split character, markup and section markers', () => {
  const text = '\n^^^ +++\n<div id="L1"><a href="#L1">1</a>é\n';
  expect(shown(text)).toBe(
    '<div>^^^ +++</div>\n<div>&lt;div id=&quot;L1&quot;&gt;&lt;a href=&quot;#L1&quot;&gt;1&lt;/a&gt;é</div>\n',
  );
  expect(lastLines(Buffer.from('é\nx\n').subarray(1), 5)).toBe('<div>x</div>\n');
});

test('shows the end of a single line', () => {
  expect(shown('progress 10 %')).toBe('<div>progress 10 %</div>\n');
});
