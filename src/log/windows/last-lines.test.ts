import { expect, test } from 'vitest';
import { lastLines } from './last-lines.ts';

const shown = (text: string, most = 10): string => lastLines(Buffer.from(text), most);

test('whole lines alone are shown, without numbers', () => {
  expect(shown('t of one\ntwo\nthree\r\n')).toBe('<div>two</div>\n<div>three</div>\n');
});

test('of many lines the last ones', () => {
  expect(shown('\n1\n2\n3\n4', 2)).toBe('<div>3</div>\n<div>4</div>\n');
});

test('what is written over is not shown, and what says when a line was written is', () => {
  expect(shown('\n\x1b_bk;t=0\x07a 1%\ra 100%\n')).toMatch(
    /^<div><time>.*<\/time>a 100%<\/div>\n$/,
  );
});

test('a character cut in two, markup and what opens a section are harmless', () => {
  const text = '\n^^^ +++\n<div id="L1"><a href="#L1">1</a>é\n';
  expect(shown(text)).toBe(
    '<div hidden></div>\n<div>&lt;div id=&quot;L1&quot;&gt;&lt;a href=&quot;#L1&quot;&gt;1&lt;/a&gt;é</div>\n',
  );
  expect(lastLines(Buffer.from('é\nx\n').subarray(1), 5)).toBe('<div>x</div>\n');
});

test('of a single line its end is shown', () => {
  expect(shown('progress 10 %')).toBe('<div>progress 10 %</div>\n');
});
