import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { base64Forms, textForms } from './secret.ts';

const secret = `a"b\\c/d'e <f>&$g+ü\nsecond line!`;

test.each([
  ['JSON', JSON.stringify(secret).slice(1, -1)],
  ['JSON in JSON', JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1)],
  ['JSON of Go', String.raw`a\"b\\c/d'e \u003cf\u003e\u0026$g+ü\nsecond line!`],
  ['JSON of Python', String.raw`a\"b\\c/d'e <f>&$g+\u00fc\nsecond line!`],
  ['JSON of PHP', String.raw`a\"b\\c\/d'e <f>&$g+\u00fc\nsecond line!`],
  ['encodeURIComponent', encodeURIComponent(secret)],
  ['a form', String(new URLSearchParams({ x: secret })).slice(2)],
  ['quote of Python', 'a%22b%5Cc/d%27e%20%3Cf%3E%26%24g%2B%C3%BC%0Asecond%20line%21'],
  ['a URL in lower case', encodeURIComponent(secret).replace(/%../g, (x) => x.toLowerCase())],
  ['single quotes', secret.replaceAll("'", String.raw`'\''`)],
  ['double quotes', String.raw`a\"b\\c/d'e <f>&\$g+ü` + '\nsecond line!'],
  ['a line of it', 'second line!'],
])('recognizes %s', (_, form) => {
  expect(textForms(secret)).toContain(form);
});

test('recognizes a value as quoted by bash', () => {
  const script = `printf '%s\\n' "\${X@Q}"; printf '%q\\n' "$X" "$Y"`;
  const value = ` !"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`;
  const special = "a\tb'c\\ü\x1b\x07\x01";
  const env = { ...process.env, LC_ALL: 'C', X: value, Y: special };
  const [quoted, escaped, ansi] = execFileSync('bash', ['-c', script], { env })
    .toString()
    .split('\n');
  expect(textForms(value)).toContain(quoted?.slice(1, -1));
  expect(textForms(value)).toContain(escaped);
  expect(textForms(special)).toContain(ansi?.slice(2, -1));
});

test('a plain secret has one form', () => {
  expect(textForms('c0ffee-17')).toEqual(['c0ffee-17']);
});

test('uses lines of at least 8 characters in a multi-line secret', () => {
  const forms = textForms('12345678\r\n  1234567\n--------\nlast line');
  expect(forms).toEqual(expect.arrayContaining(['12345678', 'last line']));
  expect(forms).not.toContain('1234567');
  expect(forms).not.toContain('--------');
});

test.each(['open?sesame>17', 'open?sesame>1', 'open?sesame>', 'öffne>>>dich???'])(
  'finds %j in base64 at any offset',
  (value) => {
    for (const text of [value, `${value}\n`, `u:${value}`, `me:${value}`, `you:${value}@host`]) {
      for (const encoding of ['base64', 'base64url'] as const) {
        const encoded = Buffer.from(text).toString(encoding);
        const left = base64Forms(value).reduce((rest, form) => rest.replace(form, ''), encoded);
        expect(left.length).toBeLessThan(encoded.length - value.length);
      }
    }
  },
);

test('a short value has no form that occurs in other words', () => {
  expect(base64Forms('abc')).toEqual(['YWJjCg']);
});
