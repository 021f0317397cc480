import { describe, expect, test } from 'vitest';
import { createSecrets } from './secrets.ts';

const token = 'bkua_4f/+ "x"\\9c';

function secrets(...values: string[]) {
  const made = createSecrets();
  made.add(...values);
  return made;
}

const basic = (text: string): string => Buffer.from(text).toString('base64');

describe('redacts a secret', () => {
  test.each([
    ['as it is', `bad token ${token}`, 'bad token [REDACTED]'],
    ['in each place', `${token} ${token}`, '[REDACTED] [REDACTED]'],
    ['percent-encoded', `?t=${encodeURIComponent(token)}&p=1`, '?t=[REDACTED]&p=1'],
    ['percent-encoded in small letters', '?t=bkua_4f%2f%2b%20%22x%22%5c9c', '?t=[REDACTED]'],
    ['as a form has it', `?${new URLSearchParams({ t: token }).toString()}`, '?t=[REDACTED]'],
    ['in JSON', JSON.stringify({ token }), '{"token":"[REDACTED]"}'],
    ['cut off', `body: ${token.slice(0, 8)}… (400)`, 'body: [REDACTED]… (400)'],
  ])('%s', (_, text, expected) => {
    expect(secrets(token).redact(text)).toBe(expected);
  });

  test.each(['', 'u', 'me', 'user:', 'longer-user:'])('in base64 after %j', (before) => {
    const secret = 'bkua_0123456789abcdef';
    const redacted = secrets(secret).redact(`authorization: Basic ${basic(before + secret)}`);
    expect(redacted).toContain('[REDACTED]');
    // Only characters that it shares with its neighbors are left.
    const left = redacted.replace('authorization: Basic ', '').replace('[REDACTED]', '');
    expect(left.length).toBeLessThanOrEqual(basic(before).length + 4);
  });
});

test('redacts both of two overlapping secrets', () => {
  const made = secrets('abcdef', 'abcdefghij');
  expect(made.redact('abcdefghij abcdef')).toBe('[REDACTED] [REDACTED]');
});

test('treats pattern characters in a secret literally', () => {
  expect(secrets('a.c*e(g').redact('abcdefg a.c*e(g')).toBe('abcdefg [REDACTED]');
});

test('keeps a value that is too short', () => {
  expect(secrets('token', '').redact('no access token')).toBe('no access token');
});

test('ignores a newline at the end of a secret', () => {
  expect(secrets('bkua_0123\n').redact('bkua_0123')).toBe('[REDACTED]');
});

test('redacts passwords in URLs, known or not', () => {
  const text = 'through http://me:pa%20ss@proxy:3128 and https://ci.test:8080/a@b';
  expect(createSecrets().redact(text)).toBe(
    'through http://me:[REDACTED]@proxy:3128 and https://ci.test:8080/a@b',
  );
});

test('redacts secrets learned later too', () => {
  const made = secrets('first-secret');
  expect(made.redact('second-secret')).toBe('second-secret');
  made.add('second-secret');
  expect(made.redact('first-secret second-secret')).toBe('[REDACTED] [REDACTED]');
});
