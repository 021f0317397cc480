import { expect, test } from 'vitest';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import { followRedirects } from './redirects.ts';
import type { Method, Request, Response } from './transport.ts';

const start = 'http://ci.test/v2/x';

/** A service that answers each request with the next of these; all that was asked, and the result. */
async function ask(answers: readonly Partial<Response>[], method: Method = 'GET', range = '') {
  const asked: string[] = [];
  const lines: string[] = [];
  const left = [...answers];
  const send = async ({ url }: Request): Promise<Response> => {
    asked.push(url.href);
    return Promise.resolve({
      status: 200,
      headers: {},
      body: (async function* () {})(),
      ...left.shift(),
    });
  };
  const result = await followRedirects(
    { method, url: new URL(start), headers: range === '' ? {} : { range }, timeout: 1000 },
    {
      ...{ transport: { send, close: () => Promise.resolve() }, clock: virtualClock() },
      ...{ signal: new AbortController().signal, debug: (line) => void lines.push(line) },
    },
  ).then(
    ({ status, url }) => `${status} ${url.href}`,
    (error: unknown) => String(error),
  );
  return { asked, lines, result };
}

const to = (location: string, status = 302) => ({ status, headers: { location } });

test.each([301, 302, 303, 307, 308])('a GET follows %i', async (status) => {
  const { asked, lines, result } = await ask([to('/v2/y?z=1#part', status)]);
  expect(asked).toEqual([start, 'http://ci.test/v2/y?z=1']);
  expect(result).toBe('200 http://ci.test/v2/y?z=1');
  expect(lines).toEqual([
    `GET ${start} -> ${status} in 0 ms`,
    'GET http://ci.test/v2/y?z=1 -> 200 in 0 ms',
  ]);
});

test.each([300, 304, 305, 200])('%i is no redirect', async (status) => {
  expect((await ask([to('/v2/y', status)])).result).toBe(`${status} ${start}`);
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const)(
  '%s follows none',
  async (method) => {
    const { asked, result } = await ask([to('/v2/y')], method);
    expect([asked, result]).toEqual([[start], `302 ${start}`]);
  },
);

test('a redirect without an address is the answer', async () => {
  expect((await ask([{ status: 302 }])).result).toBe(`302 ${start}`);
});

test.each([
  ['another scheme', 'https://ci.test/v2/y', 'https://ci.test'],
  ['another port', 'http://ci.test:81/v2/y', 'http://ci.test:81'],
  ['another host', '//evil.test/v2/y', 'http://evil.test'],
  ['a host below', 'http://a.ci.test/v2/y', 'http://a.ci.test'],
])('the token does not go to %s', async (_, location, origin) => {
  const { asked, result } = await ask([to(location)]);
  expect(asked).toEqual([start]);
  expect(result).toContain(`redirects to ${origin}, where the token does not belong`);
});

test('a name and a password in the address are left out', async () => {
  const { asked } = await ask([to('http://me:secret@ci.test/v2/y')]);
  expect(asked[1]).toBe('http://ci.test/v2/y');
});

test('what is no address is told', async () => {
  expect((await ask([to('http://[')])).result).toContain('redirects to no valid address');
});

test('five redirects are followed, six are too many', async () => {
  const five = await ask(Array.from({ length: 5 }, (_, at) => to(`/${at}`)));
  expect(five.result).toBe('200 http://ci.test/4');
  const six = await ask(Array.from({ length: 6 }, (_, at) => to(`/${at}`)));
  expect(six.result).toContain('redirects without end');
  expect(six.asked).toHaveLength(6);
});
