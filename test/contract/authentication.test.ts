/** "Authentication": which header is accepted by which API, and what the token determines. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCounterpart, type Counterpart } from '../service/counterpart.ts';
import { scriptedRunner } from '../service/scripted-runner.ts';

let service: Counterpart;

beforeAll(async () => {
  service = await createCounterpart({ runner: scriptedRunner() });
});

afterAll(() => service.close());

const viewer = { method: 'POST', body: { query: '{ viewer { id } }' } };

test.each([
  ['REST', '/v2/builds', 'Bearer TOKEN', 200],
  ['REST', '/v2/builds', 'Token TOKEN', 401],
  ['REST', '/v2/builds', 'Bearer AGENT', 401],
  ['access token', '/v2/access-token', 'Bearer TOKEN', 200],
  ['access token', '/v2/access-token', '', 401],
  ['GraphQL', '/v1', 'Bearer TOKEN', 200],
  ['GraphQL', '/v1', 'Token TOKEN', 401],
  ['metrics', '/v3/metrics', 'Token AGENT', 200],
  ['metrics', '/v3/metrics', 'Bearer TOKEN', 401],
  ['metrics', '/v3/metrics', 'Bearer AGENT', 401],
])('%s: GET %s by "%s" is %i', async (_, path, header, status) => {
  const authorization = header.replace('TOKEN', service.token).replace('AGENT', service.agentToken);
  const headers = header === '' ? {} : { authorization };
  const sending = { token: null, headers, ...(path === '/v1' && viewer) };
  expect((await service.send(path, sending)).status).toBe(status);
});
