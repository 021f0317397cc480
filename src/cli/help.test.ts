import { expect, test } from 'vitest';
import { helpText, helpPage } from './help.ts';
import { helpTexts } from './generated.ts';

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
  '%s, a property of every object, is not a topic',
  async (word) => {
    await expect(helpText([word])).rejects.toThrow(`no help for "${word}"`);
  },
);

const bold = (text: string): string => `<${text}>`;

test('a row continues below its text', () => {
  const text = [
    '  -s, --state STATE   only builds in this state (running,',
    '                      scheduled, passed)',
    '      --all           all of them',
    '',
  ].join('\n');
  expect(helpPage(text, { width: 50 })).toBe(
    [
      '  -s, --state STATE   only builds in this state',
      '                      (running, scheduled, passed)',
      '      --all           all of them',
      '',
    ].join('\n'),
  );
  expect(helpPage(text, { width: 80 })).toBe(text);
});

test('text stands below a name that leaves no room', () => {
  expect(helpPage('      --request-timeout DURATION  longest silence of it\n', { width: 36 })).toBe(
    ['      --request-timeout DURATION', '        longest silence of it', ''].join('\n'),
  );
});

test('reflows prose, paragraph by paragraph', () => {
  expect(helpPage('One line that is long\nand more.\n\nTwo\nlines.\n', { width: 12 })).toBe(
    'One line\nthat is long\nand more.\n\nTwo\nlines.\n',
  );
});

test('a wrapped command line is still valid in a shell', () => {
  const line = `  cictl builds list --jq '.[] | select(.blocked)' --limit 5\n`;
  expect(helpPage(line, { width: 30 })).toBe(
    ['  cictl builds list --jq \\', `    '.[] | select(.blocked)' \\`, '    --limit 5', ''].join(
      '\n',
    ),
  );
});

test('headings are bold: the first line and those with a colon', () => {
  const text = 'List them\n\nUsage: cictl x\n\nFlags:\n  -a  All: of them\n\nNot: this\n';
  expect(helpPage(text, { bold })).toBe(
    '<List them>\n\n<Usage:> cictl x\n\n<Flags:>\n  -a  All: of them\n\nNot: this\n',
  );
  expect(helpPage('Usage: cictl x\n', { bold })).toBe('<Usage:> cictl x\n');
});

test.each([40, 60, 80])('all help fits in %i columns and loses no words', async (width) => {
  const { texts } = await helpTexts();
  expect(texts.length).toBeGreaterThan(50);
  for (const text of texts) {
    const page = helpPage(text, { width });
    const wide = page.split('\n').filter((line) => line.length > width);
    // Words longer than a line are not split.
    expect(wide.filter((line) => /\S \S[^\\]/.test(line.trim()))).toEqual([]);
    const words = (all: string): string[] => all.split(/\s+/).filter((word) => word !== '\\');
    expect(words(page)).toEqual(words(text));
  }
});
