import { expect, test } from 'vitest';
import { bounded, networkErrorText, oneLine } from './network-error-text.ts';

const withCode = (code: unknown, message = 'raw', more: object = {}): Error =>
  Object.assign(new Error(message), { code, ...more });

test.each<[Error, string]>([
  [withCode('ECONNREFUSED'), 'connection refused'],
  [withCode('ECONNRESET'), 'connection reset'],
  [withCode('EPIPE'), 'connection closed'],
  [withCode('UND_ERR_SOCKET'), 'connection closed'],
  [withCode('ETIMEDOUT'), 'connection timed out'],
  [withCode('UND_ERR_CONNECT_TIMEOUT'), 'connection timed out'],
  [withCode('ENOTFOUND'), 'unknown host name'],
  [withCode('EAI_AGAIN'), 'host name lookup failed'],
  [withCode('CERT_HAS_EXPIRED'), 'the certificate has expired'],
  [withCode('HPE_INVALID_CONSTANT'), 'the response is not HTTP'],
  [withCode('', 'raw', { name: 'HTTPParserError' }), 'the response is not HTTP'],
  [withCode('X_HPE_'), 'raw'],
  [withCode('ERR_SSL_WRONG_VERSION_NUMBER'), 'TLS failed (ERR_SSL_WRONG_VERSION_NUMBER)'],
  [new Error('outer', { cause: withCode('ECONNRESET') }), 'connection reset'],
  [new Error('outer', { cause: 'ECONNRESET' }), 'outer'],
  [withCode(7, 'seven'), 'seven'],
  [withCode('E_UNHEARD', ''), 'E_UNHEARD'],
  [new TypeError(''), 'TypeError'],
  [new Error('two\nlines\x1b[2J'), 'two lines'],
])('%j is %s', (error, text) => {
  expect(networkErrorText(error)).toBe(text);
});

test.each([
  ['EHOSTUNREACH', /host/],
  ['ENETUNREACH', /network/],
  ['UND_ERR_HEADERS_OVERFLOW', /too large/],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', /length/],
  ['EPROTO', /TLS/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /self-signed .*NODE_EXTRA_CA_CERTS/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /authority .*NODE_EXTRA_CA_CERTS/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /authority .*NODE_EXTRA_CA_CERTS/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /another host/],
])('%s has its own message', (code, words) => {
  expect(networkErrorText(withCode(code))).toMatch(words);
});

test('truncates a text at its limit, never within a character', () => {
  expect(bounded('x'.repeat(300))).toBe('x'.repeat(300));
  expect(bounded('x'.repeat(301))).toBe(`${'x'.repeat(300)}…`);
  expect(bounded('abcd', 3)).toBe('abc…');
  expect(bounded('ab🚀d', 3)).toBe('ab…');
  expect(bounded('  a \t\n b  ', 3)).toBe('a b');
  expect(bounded(`a${' '.repeat(11)}b`, 3)).toBe('a');
});

test('replaces control characters with spaces', () => {
  expect(oneLine('a\0b\x1fc\x7fd\x9fe f\u00a0')).toBe('a b c d e f\u00a0');
});
