import { expect, test } from 'vitest';
import { grep, type GrepOptions, grepPattern } from './grep.ts';

const lines = 'm1\nx\nm2\nm3\ny\nz\nm4\n';

const view = (log: string, options: Partial<GrepOptions>): string => {
  const stage = grep({ pattern: /m/, ...options });
  return stage.push(log) + stage.end();
};

// The output of GNU grep with the equivalent flags.
test.each<[Partial<GrepOptions>, string]>([
  [{}, 'm1\nm2\nm3\nm4\n'],
  [{ after: 0 }, 'm1\n--\nm2\nm3\n--\nm4\n'],
  [{ before: 0 }, 'm1\n--\nm2\nm3\n--\nm4\n'],
  [{ before: 0, after: 0 }, 'm1\n--\nm2\nm3\n--\nm4\n'],
  [{ after: 1 }, 'm1\nx\nm2\nm3\ny\n--\nm4\n'],
  [{ before: 1, after: 0 }, 'm1\nx\nm2\nm3\n--\nz\nm4\n'],
  [{ before: 0, after: 1 }, 'm1\nx\nm2\nm3\ny\n--\nm4\n'],
  [{ invert: true, after: 0 }, 'x\n--\ny\nz\n'],
  [{ pattern: /y/, after: 0 }, 'y\n'],
  [{ pattern: /m|x/, after: 0 }, 'm1\nx\nm2\nm3\n--\nm4\n'],
])('separates the groups of %j', (options, expected) => {
  expect(view(lines, options)).toBe(expected);
});

const matches = (source: string, text: string, ignoreCase = false): boolean =>
  grepPattern(source, ignoreCase).test(text);

// A pattern that the `u` flag accepts, in both cases, and one that it rejects.
test.each<[string, string, boolean]>([
  [String.raw`^\w+$`, 'café', true],
  [String.raw`^\w+$`, 'über_9', true],
  [String.raw`^\w+$`, '試験', true],
  [String.raw`^\w+$`, 'e\u0301', true],
  [String.raw`^\w+$`, '𝒳𠮷', true],
  [String.raw`^\w+$`, 'a b', false],
  [String.raw`^\w+$`, 'a–b', false],
  [String.raw`^\w+$`, '👍', false],
  [String.raw`é\b`, 'é x', true],
  [String.raw`caf\b`, 'café', false],
  [String.raw`caf\b`, 'caf x', true],
  [String.raw`\bber`, 'über', false],
  [String.raw`\büber\b`, '(über)', true],
  [String.raw`\b試\b`, 'é試é', false],
  [String.raw`\b試\b`, '→試←', true],
  [String.raw`e\b`, 'e\u0301', false],
  [String.raw`\Bber`, 'über', true],
  [String.raw`\B試`, ' 試', false],
  [String.raw`\B→\B`, ' → ', true],
  [String.raw`\W`, 'éü試', false],
  [String.raw`^\W+$`, '→ –', true],
  [String.raw`^[\w.]+$`, 'é.ü', true],
  [String.raw`^[^\w]+$`, '→', true],
  [String.raw`[^\w]`, 'éü', false],
  [String.raw`[^\w ]`, 'é ü', false],
  [String.raw`^[\W]+$`, '→', true],
  [String.raw`[\W]`, 'é', false],
  [String.raw`^[\Wé]+$`, '→é', true],
  [String.raw`[\Wx]`, 'é', false],
  [String.raw`^[^\W]+$`, 'éü', true],
  [String.raw`^[^\Wé]+$`, 'ü', true],
  [String.raw`[^\Wé]`, 'é→', false],
  [String.raw`[\w\W]`, '→', true],
  [String.raw`[^\w\W]`, 'é→', false],
  [String.raw`[\W^]`, 'é', false],
  [String.raw`^[\w^]+$`, 'é^', true],
  [String.raw`^[\w-]+$`, 'é-', true],
  [String.raw`^[-\w]+$`, 'é-', true],
  [String.raw`^[\]\w]+$`, ']é', true],
  [String.raw`^[\\\w]+$`, String.raw`\é`, true],
  [String.raw`\\w`, 'é', false],
  [String.raw`\\w`, String.raw`é\w`, true],
  [String.raw`\\\w`, String.raw`\é`, true],
  [String.raw`\\b`, String.raw`é \b`, true],
  [String.raw`[\b]`, 'é\b', true],
  [String.raw`[\b]`, 'é', false],
  [String.raw`(?<=\w)→`, 'é→', true],
  [String.raw`(é)\w\1`, 'éüé', true],
])('%s on %j: %j', (source, text, expected) => {
  expect(matches(source, text)).toBe(expected);
  expect(matches(`(?:${source})`, text, true)).toBe(expected);
  if (!text.includes('𝒳')) expect(matches(String.raw`(?:${source})|\-{`, text)).toBe(expected);
});

test.each<[string, string, boolean]>([
  [String.raw`\bÉCOLE\b`, 'une école', true],
  [String.raw`\bÉCOLE`, 'éécole', false],
  [String.raw`^[\wÀ]+$`, 'àÉ', true],
  [String.raw`^[^\WÀ]+$`, 'à', false],
  [String.raw`\W`, 'éÉſK', false],
])('%s ignoring case on %j: %j', (source, text, expected) => {
  expect(matches(source, text, true)).toBe(expected);
});

test.each<[string, string, boolean]>([
  [String.raw`a\-\w`, 'a-é', true],
  [String.raw`{\w}`, '{é}', true],
  [String.raw`^[\w-z]+$`, 'é-z', true],
  [String.raw`^[a-\w]+$`, 'a-é', true],
  [String.raw`^[+-\w]+$`, '+-é', true],
  [String.raw`^[+-\Wz]+$`, '+-→z', true],
  [String.raw`^[+-\Wz]+$`, 'a', false],
  [String.raw`^[a-\w-→]+$`, 'a-é→', true],
  [String.raw`\-[\W-z]`, '-é', false],
  [String.raw`\-[\W-z]`, '-→', true],
  [String.raw`]\b`, ']é', true],
  [String.raw`\k\b`, 'é k', true],
])('%s, valid only in loose syntax, on %j: %j', (source, text, expected) => {
  expect(matches(source, text)).toBe(expected);
});

test('ASCII text matches the same with and without the u flag', () => {
  const texts = ['a b', '_', '9-x', ' ', '', '{a}', 'ab\\w', 'K s', '->'];
  const sources = String.raw`\b,\B,\w+,\W,[\w],[^\w],[\W],[^\W],\bb\b,\ws,[\w-],^\W*$`.split(',');
  for (const source of sources)
    for (const text of texts)
      expect(matches(source, text)).toBe(new RegExp(source, 'u').test(text));
});

test.each(['(', '[', '\\', 'a**', '(?<n>a)(?<n>b)'])('rejects %s', (source) => {
  expect(() => grepPattern(source, false)).toThrow(SyntaxError);
});

test.each<[string, string, boolean]>([
  ['^[[:digit:]]+$', '42', true],
  ['[[:digit:]]', 'none', false],
  ['^[^[:space:]]+$', 'a b', false],
  ['^[^[:space:]]+$', 'ab', true],
  ['^[[:alpha:]_-]+$', 'é_-z', true],
  ['^[[:alpha:]_-]+$', 'a1', false],
  ['^[[:upper:]][[:lower:]][[:alnum:]][[:xdigit:]]$', 'Ab9f', true],
  ['^[[:blank:]][[:punct:]][[:graph:]][[:print:]]$', '\t/é ', true],
  ['[[:cntrl:]]', 'a\u0007', true],
  // The `u` flag rejects this escape.
  [String.raw`^\_[[:punct:][:alpha:]]+$`, '_[x]/', true],
  [String.raw`\[[[:digit:]]\]`, '[4]', true],
  [String.raw`[[:alpha:]]\b`, 'é.', true],
  [String.raw`\[[:digit:]]`, '[d]', true],
])('%s on %j: %s', (source, text, expected) => {
  expect(matches(source, text)).toBe(expected);
});

test.each(['[[:digits:]]', '[[:^digit:]]', '[a[::]]'])(
  'rejects the unknown class in %s',
  (source) => {
    expect(() => grepPattern(source, false)).toThrow('unknown character class');
  },
);
