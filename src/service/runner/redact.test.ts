import { expect, test } from 'vitest';
import { createRedactor, type Redactor } from './redact.ts';

function create(secrets: readonly string[]): Redactor {
  const redactor = createRedactor();
  redactor.add(secrets);
  return redactor;
}

function redact(chunks: readonly string[], secrets: readonly string[]): string {
  const redactor = create(secrets);
  const parts = chunks.map((chunk) => redactor.push(Buffer.from(chunk)));
  return Buffer.concat([...parts, redactor.end()]).toString();
}

test.each([
  ['a secret here', ['secret'], 'a [REDACTED] here'],
  ['secretsecret', ['secret'], '[REDACTED][REDACTED]'],
  ['secre', ['secret'], 'secre'],
  ['ssecret', ['secret'], 's[REDACTED]'],
  ['abcabcabd', ['abcabd'], 'abc[REDACTED]'],
  ['foobarbaz foobar', ['foobar', 'foobarbaz'], '[REDACTED] [REDACTED]'],
  ['xxabcyy', ['xxabc', 'abcyy'], '[REDACTED]'],
  ['aaaa', ['aa'], '[REDACTED]'],
  ['line\nbreak', ['e\nb'], 'lin[REDACTED]reak'],
  ['größe', ['öß'], 'gr[REDACTED]e'],
  ['nothing', [], 'nothing'],
])('%j without %j is the same wherever it is split', (text, secrets, expected) => {
  const bytes = Buffer.from(text);
  for (let first = 0; first <= bytes.length; first++) {
    for (let second = first; second <= bytes.length; second++) {
      const redactor = create(secrets);
      const result = Buffer.concat([
        redactor.push(bytes.subarray(0, first)),
        redactor.push(bytes.subarray(first, second)),
        redactor.push(bytes.subarray(second)),
        redactor.end(),
      ]);
      expect(result.toString()).toBe(expected);
    }
  }
});

test('prints text at once if it cannot be part of a secret', () => {
  const redactor = create(['secret']);
  expect(redactor.push(Buffer.from('50 % sec')).toString()).toBe('50 % ');
  expect(redactor.push(Buffer.from('ond.')).toString()).toBe('second.');
});

test('passes through invalid UTF-8', () => {
  const redactor = create(['secret']);
  const bytes = Buffer.from([0xff, 0xc3, 0x28, 0x00]);
  expect(redactor.push(bytes)).toEqual(bytes);
});

test('redacts across many chunks', () => {
  expect(redact('my secret is secret'.split(/(?=.)/), ['secret'])).toBe(
    'my [REDACTED] is [REDACTED]',
  );
});

test('recognizes a multi-line secret as a terminal writes it', () => {
  expect(redact(['a one\r', '\ntwo b'], ['one\ntwo'])).toBe('a [REDACTED] b');
});

test('redacts a secret from the moment it is added', () => {
  const redactor = create([]);
  expect(redactor.push(Buffer.from('sesame ')).toString()).toBe('sesame ');
  redactor.add(['sesame']);
  expect(redactor.push(Buffer.from('sesame ')).toString()).toBe('[REDACTED] ');
});

const long = 'correct-horse-battery-staple-and-some-more-words-to-fill-two-lines!';

/** As printed by `base64`, with a newline after each line. */
const base64 = (text: string, columns: number, newline: string): string =>
  Buffer.from(text)
    .toString('base64')
    .replaceAll(new RegExp(`.{1,${columns}}`, 'g'), `$&${newline}`);

test.each([
  ['JSON', JSON.stringify({ key: 'a"b\\c\nd-secret' }), 'a"b\\c\nd-secret', '{"key":"[REDACTED]"}'],
  ['a URL', 'x?t=p%40ss%2Fword&u=1', 'p@ss/word', 'x?t=[REDACTED]&u=1'],
  ['a trace of bash', String.raw`+ echo 'it'\''s me'`, "it's me", "+ echo '[REDACTED]'"],
  ['base64 with a newline', base64('hunter2-7\n', 76, '\n'), 'hunter2-7', '[REDACTED]==\n'],
  ['a Basic header', base64('me:open-sesame', 76, ''), 'open-sesame', 'bWU6[REDACTED]='],
  ['76 columns', base64(`user:${long}`, 76, '\r\n'), long, 'dXNlcjp[REDACTED]\r\n'],
  ['64 columns', base64(`user1:${long}`, 64, '\n'), long, 'dXNlcjE6[REDACTED]==\n'],
  ['JSON with CRLF', JSON.stringify({ key: 'ab\r\ncd' }), 'ab\r\ncd', '{"key":"[REDACTED]"}'],
  ['base64 with CRLF', base64('line 1\r\nline 2', 76, ''), 'line 1\r\nline 2', '[REDACTED]='],
  ['a terminal with CRLF', 'x ab\r\r\ncd x', 'ab\r\ncd', 'x [REDACTED] x'],
  ['a line of it', 'x\nsecond line\r\n', 'first line\nsecond line', 'x\n[REDACTED]\r\n'],
])('finds a secret in %s, wherever the text is split', (_, text, secret, expected) => {
  for (let at = 0; at < text.length; at++)
    expect(redact([text.slice(0, at), text.slice(at)], [secret])).toBe(expected);
});

test('shows a line at once, even if it ends like the beginning of a secret in base64', () => {
  const redactor = create(['secret']);
  expect(redactor.push(Buffer.from('50 % c2Vj\n')).toString()).toBe('50 % c2Vj\n');
});

test('does not join the lines of ordinary output to a secret', () => {
  const text = '12\n34\n56\nMTIz\nNDU2\n';
  expect(redact([text], ['123456'])).toBe(text);
});
