import { expect, test } from 'vitest';
import { loopbackReach } from './reach.ts';

const reach = loopbackReach(8090);

test.each(['127.0.0.1:8090', 'localhost:8090', '[::1]:8090'])('%s is this service', (host) => {
  expect(reach.originOf(host, undefined)).toBe(`http://${host}`);
  expect(reach.originOf(host.toUpperCase(), `http://${host}`)).toBe(`http://${host}`);
});

test.each([
  undefined,
  '',
  'localhost',
  '127.0.0.1:8091',
  'ci.example:8090',
  '127.0.0.1:8090.example',
])('%s is another host', (host) => {
  expect(() => reach.originOf(host, undefined)).toThrow('Forbidden');
});

test.each(['127.0.0.1', 'localhost:80', '[::1]'])(
  '%s is this service on the default port',
  (host) => {
    expect(loopbackReach(80).originOf(host, `http://${host}`)).toBe(`http://${host}`);
    expect(() => loopbackReach(80).originOf('127.0.0.1:8090', undefined)).toThrow('Forbidden');
  },
);

test.each(['http://ci.example', 'https://localhost:8090', 'http://localhost:8091', 'null'])(
  'rejects a page from %s',
  (page) => {
    expect(() => reach.originOf('localhost:8090', page)).toThrow('from other origins');
  },
);
