import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { routesForAgents, agentReach } from './listen-for-agents.ts';
import { restRoutes } from './routes/rest-routes.ts';

test('at the address for agents each route wants the token of an agent or job, or a secret address', () => {
  const open = routesForAgents(restRoutes);
  expect(open.length).toBeGreaterThan(10);
  const audiences = new Set(open.map(({ audience }) => audience));
  expect([...audiences].sort()).toEqual(['agent', 'job', 'open', 'registration', 'session']);
  const withoutToken = open.filter(({ audience }) => audience === 'open');
  expect([...new Set(withoutToken.map(({ path }) => path.split('/:')[0]))].sort()).toEqual([
    '/agentedge.v1.AgentEdgeService',
    '/v3/artifacts',
    // It asks for a token itself, in the form that git sends.
    '/v3/snapshots',
  ]);
});

const tls = { cert: '', key: '' };

test.each([
  ['0.0.0.0', '10.0.0.7:8443', 'http://10.0.0.7:8443'],
  ['0.0.0.0', 'localhost:8443', 'http://localhost:8443'],
  ['0.0.0.0', `${hostname()}:8443`, `http://${hostname().toLowerCase()}:8443`],
  ['::', '[fd00::7]:8443', 'http://[fd00::7]:8443'],
  ['10.0.0.7', '10.0.0.7:8443', 'http://10.0.0.7:8443'],
  ['ci.lan', 'CI.lan:8443', 'http://ci.lan:8443'],
  ['127.0.0.1', 'localhost:8443', 'http://localhost:8443'],
  ['::1', '[::1]:8443', 'http://[::1]:8443'],
])('at %s, %s is meant for it', (host, given, origin) => {
  expect(agentReach({ host, port: 0 }, 8443).originOf(given, undefined)).toBe(origin);
});

test.each([
  ['0.0.0.0', 'evil.example:8443'],
  ['0.0.0.0', '10.0.0.7:8444'],
  ['0.0.0.0', '10.0.0.7'],
  ['0.0.0.0', 'user@10.0.0.7:8443'],
  ['0.0.0.0', '10.0.0.7:8443/v3'],
  ['0.0.0.0', '10.0.0.7.example:8443'],
  ['0.0.0.0', undefined],
  ['10.0.0.7', '10.0.0.8:8443'],
  ['10.0.0.7', 'localhost:8443'],
  ['127.0.0.1', 'evil.example:8443'],
])('at %s, %s is not', (host, given) => {
  const reach = agentReach({ host, port: 0 }, 8443);
  expect(() => reach.originOf(given, undefined)).toThrow('Forbidden');
});

test('TLS shows in the address, and its usual port does not', () => {
  const reach = agentReach({ host: '0.0.0.0', port: 443, tls }, 443);
  expect(reach.originOf('10.0.0.7', undefined)).toBe('https://10.0.0.7');
});

test('with a public address that and where it listens are its own, and agents get the public one', () => {
  const publicUrl = 'https://ci.example/agents';
  const reach = agentReach({ host: '10.0.0.7', port: 8443, publicUrl }, 8443);
  expect(reach.originOf('ci.example', undefined)).toBe(publicUrl);
  expect(reach.originOf('CI.example:443', undefined)).toBe(publicUrl);
  expect(reach.originOf('10.0.0.7:8443', undefined)).toBe(publicUrl);
  for (const host of ['ci.example:8443', 'evil.example', '10.0.0.8:8443'])
    expect(() => reach.originOf(host, undefined)).toThrow('Forbidden');
});

test('on all interfaces a public address is the only one', () => {
  const reach = agentReach({ host: '::', port: 80, publicUrl: 'http://ci.example' }, 80);
  expect(reach.originOf('ci.example', undefined)).toBe('http://ci.example');
  expect(() => reach.originOf('10.0.0.7', undefined)).toThrow('Forbidden');
});

test('a page is refused, its own too', () => {
  const reach = agentReach({ host: '0.0.0.0', port: 0 }, 8443);
  for (const page of ['null', 'http://10.0.0.7:8443', 'http://evil.example'])
    expect(() => reach.originOf('10.0.0.7:8443', page)).toThrow('not for pages');
});
