import { expect, test } from 'vitest';
import { everySplit, feed } from '../../test/log/split.ts';
import { chooseGroup } from './groups.ts';
import { escapeJsonBytes } from './hidden.ts';
import { pump } from './stage.ts';
import { toBytes, toText } from './text.ts';
import { createLogPipeline, type LogView } from './log-pipeline.ts';

/** Bidi controls, line separators, zero-width and tag characters, variation selectors. */
const hidden = [
  ...[0x061c, 0x200e, 0x200f, 0x2028, 0x2029],
  ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e],
  ...[0x2066, 0x2067, 0x2068, 0x2069],
  ...[0xad, 0x200b, 0x2060, 0xfeff, 0xe0041, 0xe0100],
].map((code) => String.fromCodePoint(code));
const all = hidden.join('');
const anyHidden = new RegExp(`[${all}]`, 'u');

const view = async (log: string, wanted: LogView): Promise<string> =>
  toText(feed(await createLogPipeline(wanted), toBytes(log)));

const formats = ['ansi', 'text', 'html'] as const;
const esc = '\x1b';

/** In a plain line, an interpreted line, a sequence, and after an unterminated one. */
const places: Readonly<Record<string, string>> = {
  'in a plain line': `user${all}name\nnext\n`,
  'in a line that is written over': `one${all}two\rO\n`,
  'in colours': `${esc}[31mre${all}d${esc}[0m\n`,
  'behind a sequence without end': `a${esc}]0;ti${all}tle\nb\n`,
  'in a link': `${esc}]8;;http://x/${all}y\x07he${all}re${esc}]8;;\x07\n`,
  'in a link of the log': `${esc}]1339;url='http://x/${all}';content='a${all}b'\x07\n`,
  'in a time mark': `${esc}_bk;${all};t=1\x07te${all}xt\n`,
  'in the name of a section': `--- sec${all}tion\n+++ ${all}x\n`,
  'alone on a line': `a\n${all}\nb\n`,
  'without a newline at the end': `a\n${all}b${all}`,
};

test.each(Object.entries(places))('never shows %s', async (_, log) => {
  for (const format of formats) {
    const shown = await view(log, { format, timestamps: format === 'html' ? undefined : 'utc' });
    expect(shown.replaceAll('\n', ' ')).not.toMatch(anyHidden);
  }
});

test.each(Object.entries(places))('gives the same however it is split: %s', async (_, log) => {
  const bytes = toBytes(log);
  for (const format of formats) {
    const whole = feed(await createLogPipeline({ format }), bytes);
    for (const pieces of everySplit(bytes))
      expect(feed(await createLogPipeline({ format }), ...pieces)).toBe(whole);
  }
});

test.each(hidden)('removes %j and keeps the text around it in order', async (character) => {
  const log = `a${character}b\n${character}${character}x\rc${character}d\n`;
  expect(await view(log, { format: 'text' })).toBe('ab\ncd\n');
  expect(await view(log, { format: 'raw' })).toBe(log);
});

// The first two bytes of each, with a different third one.
test('keeps neighbors of hidden characters and emoji sequences', async () => {
  const log = '\u061b\u061d\u2010\u2027\u202f‘’“”–—…\u205f\u2070→─✓☑️👩‍👩‍👧می‌خواهم\n';
  expect(await view(log, { format: 'text' })).toBe(log);
  expect(await view(`x\r${log}`, { format: 'text' })).toBe(log);
});

test('a letter of an emoji sequence does not count before a non-joiner', async () => {
  expect(await view('\x1b[31m\u200cb\n', { format: 'text' })).toBe('b\n');
});

test('hides them in a line over the limit, wherever it is split', async () => {
  const long = `${'é\u202e'.repeat(200_000)}\u2066日`.repeat(2);
  const shown = await view(`${long}\n`, { format: 'text' });
  expect(shown).toBe(`${long.replaceAll(/[\u202e\u2066]/g, '')}\n`);
});

test('--grep matches a line as it is printed', async () => {
  const grep = { pattern: /^password$/ };
  expect(await view('pass\u202eword\n', { format: 'text', grep })).toBe('password\n');
  const turned = { pattern: /\u202e/ };
  expect(await view('pass\u202eword\n', { format: 'text', grep: turned })).toBe('');
  expect(await view('pass\u202eword\n', { format: 'raw', grep: turned })).toBe('pass\u202eword\n');
});

test('a section has the name that is printed, in raw too', async () => {
  const log = '--- te\u2066st\none\n--- other\ntwo\n';
  const source = (async function* () {
    yield await Promise.resolve(Buffer.from(log));
  })();
  const name = await chooseGroup('test', source);
  expect(name).toBe('test');
  const group = (one: string): boolean => one === name;
  expect(await view(log, { format: 'raw', group })).toBe('--- te\u2066st\none\n');
});

const object = JSON.stringify({
  content: `a\x7f${all}\u0080\u009b31m\u009f\u00a0é日👍\ud800`,
  [`k${all}`]: 1,
});

const escaped = async (...pieces: readonly string[]): Promise<string> => {
  const source = (async function* () {
    for (const piece of pieces) yield await Promise.resolve(Buffer.from(piece, 'latin1'));
  })();
  let out = '';
  for await (const chunk of pump(source, escapeJsonBytes())) out += chunk.toString('latin1');
  return toText(out);
};

test('JSON escapes them without changing the value, however it is split', async () => {
  const whole = await escaped(toBytes(object));
  expect(JSON.parse(whole)).toEqual(JSON.parse(object));
  expect(whole).not.toMatch(/[\x7f-\x9f]/);
  expect(whole).not.toMatch(anyHidden);
  expect(whole).toContain('\u00a0é日👍\\ud800');
  for (const pieces of everySplit(toBytes(object))) expect(await escaped(...pieces)).toBe(whole);
});

test.each(['ends \xe2\x80', '\xc2', '\xe2', 'a\xffb\xe2\x28\x8e', '{"a":1}'])(
  'passes bytes that are not hidden characters: %j',
  async (bytes) => {
    const { stage, out } = { stage: escapeJsonBytes(), out: [] as string[] };
    out.push(stage.push(Buffer.from(bytes, 'latin1')), stage.end());
    expect(out.join('')).toBe(bytes);
    await expect(escaped(bytes)).resolves.toBe(toText(bytes));
  },
);
