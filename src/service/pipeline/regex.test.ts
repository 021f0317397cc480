import { expect, test } from 'vitest';
import { matchesRegex, parseRegex } from './regex.ts';

const parse = (source: string, ignoreCase = false) =>
  parseRegex(source, ignoreCase, (message, offset) => {
    throw new Error(`${offset}: ${message}`);
  });

const texts = [
  ...['', 'a', 'b', 'ab', 'ba', 'aab', 'abab', 'A', 'Ab', 'a b', 'a\nb', 'a.b', 'v1.0', 'v10.20'],
  ...['main', 'release/1.2', 'feature/x', 'foo-bar', 'größe', '_x9', 'aaaa', '[x]', 'a]b', '😀a'],
];

test.each([
  ...['a', 'ab', 'a|b', '^a', 'b$', '^$', '', 'a*', '^a+$', '^a?b', '^(ab)+$', '^(?:ab){2}$'],
  ...['^a{2}b', '^a{2,}$', '^a{1,2}b', '^.$', '^a.b$', '\\.', '[ab]', '[^ab]', '^[a-c]+$'],
  ...['^[^\\d]+$', '\\d+', '\\D', '\\w+', '\\W', '\\s', '\\S', '\\bb', 'a\\B', '[\\].]', '\\]'],
  ...['^v\\d+\\.\\d+$', '^release\\/', '(main|feature)', '^(?!main)', '^(?=.*x)f', 'a(?!b)'],
  ...['ö', '[ö]', '\\x61', '\\u0061', '\\n', 'a*?b', 'a+?b', 'a??b', '(a|ab)(b|)$', '(|a)b'],
  ...['{', 'a{', '^[-a]$', '[a-]', '(a*)*b', '((a)|b)*$', 'x{0}a', '\\-', '\\/', '[/]'],
])("%s finds what JavaScript's engine finds", (source) => {
  for (const ignoreCase of [false, true]) {
    const regex = parse(source, ignoreCase);
    const expected = new RegExp(source, ignoreCase ? 'i' : '');
    expect(texts.filter((text) => matchesRegex(regex, text))).toEqual(
      texts.filter((text) => expected.test(text)),
    );
  }
});

test.each([
  ['^v[[:digit:]]+$', 'v12', true],
  ['^[[:alpha:]_]+$', 'a1', false],
  ['\\Aa\\z', 'a', true],
  ['a\\Z', 'a\n', true],
  ['\\h', 'g', false],
  ['^[]a]$', ']', true],
])('%s on %j is %j, as in Ruby', (source, text, expected) => {
  expect(matchesRegex(parse(source), text)).toBe(expected);
});

test.each([
  ['(a', '0: the group has no closing `)`'],
  ['a)', '1: `)` has no matching `(`'],
  ['[a', '0: the character class has no closing `]`'],
  ['[z-a]', '0: `[z-a]` is not a valid character class'],
  ['[[:alphabet:]]', '0: `[:alphabet:]` is not a valid character class'],
  ['*a', '0: there is nothing to repeat'],
  ['a**', '2: there is nothing to repeat'],
  ['a{2,1}', '1: the numbers in the quantifier are out of order'],
  ['a{1001}', '1: a quantifier must not exceed 1000'],
  ['a++', '1: possessive quantifiers are not supported'],
  ['(?<=a)b', '0: `(?<=` is not supported in regular expressions'],
  ['(?<!a)b', '0: `(?<!` is not supported in regular expressions'],
  ['(?<n>a)', '0: `(?<` is not supported in regular expressions'],
  ['(?>a)', '0: `(?>` is not supported in regular expressions'],
  ['(a)\\1', '3: backreferences are not supported'],
  ['(a{1000}){1000}', '0: the regular expression is too large'],
  ['('.repeat(60), '50: groups are nested too deeply'],
])('rejects %s', (source, expected) => {
  expect(() => parse(source)).toThrow(expected);
});

test.each(['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^(.*a){12}$', '^((a*)*)*$'])(
  '%s checks each character once per state',
  (source) => {
    const regex = parse(source);
    let looks = 0;
    const counted = regex.states.map((state) =>
      state.kind === 'char'
        ? {
            ...state,
            test: (char: string) => {
              looks++;
              return state.test(char);
            },
          }
        : state,
    );
    const text = `${'a'.repeat(500)}!`;
    expect(matchesRegex({ ...regex, states: counted }, text)).toBe(false);
    expect(looks).toBeGreaterThan(500);
    expect(looks).toBeLessThanOrEqual(regex.states.length * 502);
  },
);

test('nested empty groups cost nothing', () => {
  expect(matchesRegex(parse('(((((){1000}){1000}){1000}){1000}){1000}'), '')).toBe(true);
});
