import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { ServiceContext } from '../service-context.ts';
import { agentReach } from './listen-for-agents.ts';
import { createApp } from './app.ts';
import { json } from './response.ts';
import { open, route } from './route.ts';

/** What a route knows about the caller, given this public URL. */
async function callerAt(publicUrl: string | undefined, host: string, remoteAddress: string) {
  const address = { host: '127.0.0.1', port: 0, ...(publicUrl !== undefined && { publicUrl }) };
  const app = createApp({
    service: { urls: { base: 'http://127.0.0.1:1' } } as ServiceContext,
    routes: [
      route('GET', '/v3/who', open, ({ origin, remoteAddress: ip }) => json({ origin, ip })),
    ],
    ...{ reach: agentReach(address, 8443), adminToken: '', rateLimiter: undefined },
  });
  const response = await app({
    ...{ method: 'GET', url: 'http://127.0.0.1:8443/v3/who', socket: { remoteAddress } },
    header: (name) => ({ host })[name],
    content: () => Readable.from([]),
    signal: new AbortController().signal,
  });
  return JSON.parse(response.body as string) as unknown;
}

test('a client behind a local proxy does not count as local', async () => {
  const url = 'https://ci.example';
  expect(await callerAt(url, 'ci.example', '127.0.0.1')).toEqual({ origin: url, ip: '' });
  expect(await callerAt(url, 'ci.example', '::ffff:127.0.0.1')).toMatchObject({ ip: '' });
  expect(await callerAt(url, 'ci.example', '10.0.0.7')).toMatchObject({ ip: '10.0.0.7' });
});

test("without a public URL, the peer's address is the agent's", async () => {
  expect(await callerAt(undefined, '127.0.0.1:8443', '127.0.0.1')).toEqual({
    origin: 'http://127.0.0.1:8443',
    ip: '127.0.0.1',
  });
});
