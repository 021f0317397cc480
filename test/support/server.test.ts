import { expect, test } from 'vitest';
import { serve } from './server.ts';

test('responds as told, in order, and records requests', async () => {
  const server = await serve((url) => [
    { path: '/a?b=c', headers: { accept: 'x/y', cookie: null }, answer: { json: { next: url } } },
    { method: 'POST', path: /^\/p/, body: { a: 1 }, answer: { status: 204 } },
  ]);
  const first = await fetch(`${server.url}/a?b=c`, { headers: { accept: 'x/y' } });
  expect(await first.json()).toEqual({ next: server.url });
  const second = await fetch(`${server.url}/p/q`, { method: 'POST', body: '{"a":1}' });
  expect(second.status).toBe(204);
  expect(server.requests.map((seen) => seen.path)).toEqual(['/a?b=c', '/p/q']);
});

test('fails on an unexpected request', async () => {
  const server = await serve([{ path: '/a' }]);
  expect((await fetch(`${server.url}/b`)).status).toBe(500);
  await expect(server.finish()).rejects.toThrow('GET /b');
});

test('fails on a request that never came', async () => {
  const server = await serve([{ path: '/a' }]);
  await expect(server.finish()).rejects.toThrow('requests that came');
});

test.each(['reset', 'truncate'] as const)('breaks the connection: %s', async (fault) => {
  const server = await serve([{ path: '/', answer: { body: 'whole body', fault } }]);
  await expect(fetch(server.url).then((answer) => answer.text())).rejects.toThrow();
});

test.each(['hang', 'stall'] as const)('leaves the client waiting: %s', async (fault) => {
  const server = await serve([{ path: '/', answer: { body: 'whole body', fault } }]);
  const answer = fetch(server.url).then((response) => response.text());
  await expect.poll(() => server.requests.length).toBe(1);
  const timeLimit = new Promise((done) => setTimeout(done, 100, 'still waiting'));
  expect(await Promise.race([answer.catch(String), timeLimit])).toBe('still waiting');
});

test('sends raw bytes instead of HTTP', async () => {
  const server = await serve([{ path: '/', answer: { raw: 'garbage\r\n\r\n' } }]);
  await expect(fetch(server.url)).rejects.toThrow();
});
