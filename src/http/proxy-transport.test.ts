import { expect, test } from 'vitest';
import { parseProxyAddress } from './proxy-transport.ts';

const basic = (text: string): string => `Basic ${Buffer.from(text, 'latin1').toString('base64')}`;

test.each([
  ['http://proxy.test', 'http://proxy.test', '80', undefined],
  ['http://proxy.test:3128/path?x', 'http://proxy.test:3128', '3128', undefined],
  ['https://proxy.test', 'https://proxy.test', '443', undefined],
  ['https://proxy.test:80', 'https://proxy.test:80', '80', undefined],
  ['http://me:secret@proxy.test:1', 'http://proxy.test:1', '1', basic('me:secret')],
  ['http://me@proxy.test:1', 'http://proxy.test:1', '1', basic('me:')],
  ['http://:secret@proxy.test:1', 'http://proxy.test:1', '1', basic(':secret')],
  ['http://m%C3%a9:a%40b%ZZ@proxy.test:1', 'http://proxy.test:1', '1', basic('m\xc3\xa9:a@b%ZZ')],
])('%s', (address, origin, port, authorization) => {
  expect(parseProxyAddress(address)).toEqual({
    ...{ origin, port, authorization, hostname: 'proxy.test', host: `proxy.test:${port}` },
    protocol: new URL(address).protocol,
  });
});

test.each([
  ['socks5://me:secret@proxy.test', 'has the unsupported protocol socks5'],
  ['ftp://proxy.test', 'has the unsupported protocol ftp'],
  ['proxy.test', 'is not a valid URL'],
  ['http://', 'is not a valid URL'],
])('rejects %s without a retry', (address, words) => {
  const refused = () => parseProxyAddress(address);
  expect(refused).toThrow(expect.objectContaining({ kind: 'usage' }));
  expect(refused).toThrow(words);
  expect(refused).not.toThrow('secret');
});
