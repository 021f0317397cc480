import { expect, test, describe } from 'vitest';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import { readBodyText } from './body.ts';
import {
  type FinalResponse,
  sendWithRetry,
  decideRetry,
  type RetryDecision,
  type AttemptResult,
  type Attempt,
  followRedirects,
} from './send-with-retry.ts';
import { TransportError, type Method, type Response, type Request } from './transport.ts';

describe('send with retry', () => {
  /** A response that reports when its body was read. */
  function response(status: number, text = '', headers: Record<string, string> = {}) {
    const state = { isRead: false };
    async function* body() {
      yield await Promise.resolve(Buffer.from(text));
      state.isRead = true;
    }
    return Object.assign(state, { status, headers, body: body() });
  }

  type Step = Response | Error;
  type Use = (response: FinalResponse) => Promise<unknown>;

  /** One call to a service with these responses; returns the waits and messages. */
  async function call(steps: readonly Step[], use: Use = whatCame, method: Method = 'GET') {
    const left = [...steps];
    const [notices, debugLines]: [string[], string[]] = [[], []];
    const clock = virtualClock();
    const options = {
      ...{ clock, signal: new AbortController().signal, random: () => 0.5, maxWait: 60_000 },
      notice: (line: string) => void notices.push(line),
      debug: (line: string) => void debugLines.push(line),
      transport: {
        send: () => {
          const step = left.shift() ?? new Error('sent too often');
          return step instanceof Error ? Promise.reject(step) : Promise.resolve(step);
        },
        close: () => Promise.resolve(),
      },
    };
    const request = { method, url: new URL('http://ci.test/x'), headers: {}, timeout: 1000 };
    const result: unknown = await sendWithRetry(request, options, use).catch((e: unknown) => e);
    const lines = debugLines.filter((line) => !line.includes(' -> '));
    return { result, waited: clock.now(), notices, lines, left: left.length };
  }

  const whatCame: Use = async (came) => {
    const { status, tooLong, totalWait, retryAfter } = came;
    return { status, text: await readBodyText(came), tooLong, totalWait, retryAfter };
  };
  const lost = new TransportError('connection reset', 'maybe');
  const busy = (seconds: string) => response(429, '', { 'retry-after': seconds });

  test('passes on a response of any status without waiting', async () => {
    for (const status of [200, 400, 500]) {
      const { result, waited, lines } = await call([response(status, 'a')]);
      expect(result).toEqual({ status, text: 'a' });
      expect({ waited, lines }).toEqual({ waited: 0, lines: [] });
    }
  });

  test('logs a short wait with --debug, with its reason', async () => {
    const { result, waited, notices, lines } = await call([lost, response(200, 'a')]);
    expect(result).toEqual({ status: 200, text: 'a' });
    expect({ waited, notices }).toEqual({ waited: 400, notices: [] });
    expect(lines).toEqual([
      'GET http://ci.test/x: connection reset',
      'waiting 0.4 s for the service: connection reset',
    ]);
  });

  test('reports a wait of more than a second to the user', async () => {
    const { notices, lines, waited } = await call([response(502), response(504), response(200)]);
    expect(notices).toEqual(['waiting 1.2 s for the service: it returned 504']);
    expect(lines).toEqual(['waiting 0.4 s for the service: it returned 502']);
    expect(waited).toBe(1600);
    const limited = await call([busy('1'), response(200)]);
    expect(limited.notices).toEqual(['waiting 1.1 s for the service: rate limit exceeded']);
  });

  test('reads the error body before the next attempt', async () => {
    const [busyOne, failing] = [busy('1'), response(502, 'later')];
    await call([busyOne, failing, response(200)]);
    expect([busyOne.isRead, failing.isRead]).toEqual([true, true]);
  });

  test.each([429, 503])(
    'for %i, the wait can be in the body, which stays readable',
    async (status) => {
      const text = '{"reset": 90}';
      expect(await call([response(status, text)])).toMatchObject({
        result: { status, text, tooLong: 90_000, totalWait: 90_000, retryAfter: 90_000 },
        waited: 0,
      });
    },
  );

  test('ignores a wait in the body of another failure', async () => {
    const { result } = await call([response(500, '{"reset": 90}', { 'retry-after': '90' })]);
    expect(result).toEqual({ status: 500, text: '{"reset": 90}' });
  });

  test('counts all waits toward the limit of the call', async () => {
    const { result, waited } = await call([busy('40'), busy('30'), response(200)]);
    expect(result).toMatchObject({ tooLong: 30_000, totalWait: 70_000, retryAfter: 30_000 });
    expect(waited).toBe(40_125);
  });

  test('passes on the last response with its wait after all attempts', async () => {
    const { result, left } = await call([busy('1'), busy('1'), busy('2'), response(200)]);
    expect(result).toEqual({ status: 429, text: '', retryAfter: 2000 });
    expect(left).toBe(1);
  });

  test('a body that breaks off while it is used counts as an attempt', async () => {
    const uses: number[] = [];
    const use: Use = ({ status }) => {
      uses.push(status);
      return uses.length === 1 ? Promise.reject(lost) : Promise.resolve('used');
    };
    expect(await call([response(200), response(201)], use)).toMatchObject({ result: 'used' });
    expect(uses).toEqual([200, 201]);
  });

  test('throws an error in a complete response immediately', async () => {
    const wrong = new Error('not a build');
    const { result, waited, lines, left } = await call([response(200), response(200)], () =>
      Promise.reject(wrong),
    );
    expect(result).toBe(wrong);
    expect({ waited, lines, left }).toEqual({ waited: 0, lines: [], left: 1 });
  });

  test('does not send a change again, and throws after three lost connections', async () => {
    const put = await call([lost, response(200)], whatCame, 'PUT');
    expect(put).toMatchObject({ result: lost, waited: 0, left: 1 });
    const get = await call([lost, lost, lost, response(200)]);
    expect(get).toMatchObject({ result: lost, waited: 1600, left: 1 });
  });
});

describe('retry', () => {
  const error = (): AttemptResult => ({ kind: 'error' });
  const response = (status: number, retryAfter?: number): AttemptResult => ({
    kind: 'response',
    status,
    retryAfter,
  });
  const trial = (
    method: Method,
    number: number,
    result: AttemptResult,
    rest: Partial<Attempt> = {},
  ): Attempt => ({
    ...{ method, number, result, waited: 0, maxWait: 120_000, random: 0.5 },
    ...rest,
  });
  const stop: RetryDecision = {};

  test.each<[string, Attempt, RetryDecision]>([
    ['an error, first', trial('GET', 1, error()), { wait: 400, retryAfter: 0 }],
    ['an error, second', trial('GET', 2, error()), { wait: 1200, retryAfter: 0 }],
    ['an error, third', trial('GET', 3, error()), stop],
    ['jitter, least', trial('GET', 1, error(), { random: 0 }), { wait: 200, retryAfter: 0 }],
    ['502', trial('GET', 1, response(502)), { wait: 400, retryAfter: 0 }],
    ['504', trial('GET', 2, response(504)), { wait: 1200, retryAfter: 0 }],
    ['a lasting error', trial('GET', 1, { kind: 'error', isLasting: true }), stop],
    ['500', trial('GET', 1, response(500)), stop],
    ['404', trial('GET', 1, response(404)), stop],
    ['200', trial('GET', 1, response(200)), stop],
    ['an error of POST', trial('POST', 1, error()), stop],
    ['a refused POST', trial('POST', 1, error()), stop],
    ['503 of POST', trial('POST', 1, response(503)), stop],
    ['502 of PUT', trial('PUT', 1, response(502)), stop],
    ['504 of DELETE', trial('DELETE', 1, response(504)), stop],
    ['429 of POST', trial('POST', 1, response(429, 2000)), { wait: 2125, retryAfter: 2000 }],
    ['429 of DELETE', trial('DELETE', 2, response(429)), { wait: 1200, retryAfter: 0 }],
    ['429, third', trial('GET', 3, response(429, 1000)), stop],
    [
      'as long as allowed',
      trial('GET', 1, response(429, 120_000)),
      { wait: 120_125, retryAfter: 120_000 },
    ],
    [
      'longer than allowed',
      trial('GET', 1, response(429, 121_000)),
      { tooLong: 121_000, totalWait: 121_000 },
    ],
    [
      'too long in all',
      trial('GET', 2, response(429, 61_000), { waited: 60_000 }),
      { tooLong: 61_000, totalWait: 121_000 },
    ],
    [
      'no waiting at all',
      trial('GET', 1, response(429, 1000), { maxWait: 0 }),
      { tooLong: 1000, totalWait: 1000 },
    ],
    ['503 that asks', trial('GET', 1, response(503, 3000)), { wait: 3125, retryAfter: 3000 }],
  ])('%s', (_, last, expected) => {
    expect(decideRetry(last)).toEqual(expected);
  });
});

const start = 'http://ci.test/v2/x';

/** A service that sends these responses in turn; returns all requests and the result. */
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

test.each([300, 304, 305, 200])('%i is not a redirect', async (status) => {
  expect((await ask([to('/v2/y', status)])).result).toBe(`${status} ${start}`);
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const)(
  '%s follows no redirect',
  async (method) => {
    const { asked, result } = await ask([to('/v2/y')], method);
    expect([asked, result]).toEqual([[start], `302 ${start}`]);
  },
);

test('returns a redirect without a URL as the response', async () => {
  expect((await ask([{ status: 302 }])).result).toBe(`302 ${start}`);
});

test.each([
  ['another scheme', 'https://ci.test/v2/y', 'https://ci.test'],
  ['another port', 'http://ci.test:81/v2/y', 'http://ci.test:81'],
  ['another host', '//evil.test/v2/y', 'http://evil.test'],
  ['a host below', 'http://a.ci.test/v2/y', 'http://a.ci.test'],
])('does not send the token to %s', async (_, location, origin) => {
  const { asked, result } = await ask([to(location)]);
  expect(asked).toEqual([start]);
  expect(result).toContain(`redirects to ${origin}, where the token must not be sent`);
});

test('omits a user name and a password in the URL', async () => {
  const { asked } = await ask([to('http://me:secret@ci.test/v2/y')]);
  expect(asked[1]).toBe('http://ci.test/v2/y');
});

test('reports an invalid URL', async () => {
  expect((await ask([to('http://[')])).result).toContain('redirects to an invalid URL');
});

test('follows five redirects, but not six', async () => {
  const five = await ask(Array.from({ length: 5 }, (_, at) => to(`/${at}`)));
  expect(five.result).toBe('200 http://ci.test/4');
  const six = await ask(Array.from({ length: 6 }, (_, at) => to(`/${at}`)));
  expect(six.result).toContain('redirects in a loop');
  expect(six.asked).toHaveLength(6);
});
