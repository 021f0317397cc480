import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { routesForAgents, agentReach } from './listen-for-agents.ts';
import { restRoutes } from './routes/rest-routes.ts';

test('on the agent endpoint, each route requires an agent token, a job token or a secret URL', () => {
  const open = routesForAgents(restRoutes);
  expect(open.length).toBeGreaterThan(10);
  const audiences = new Set(open.map(({ audience }) => audience));
  expect([...audiences].sort()).toEqual(['agent', 'job', 'open', 'registration', 'session']);
  const withoutToken = open.filter(({ audience }) => audience === 'open');
  expect([...new Set(withoutToken.map(({ path }) => path.split('/:')[0]))].sort()).toEqual([
    '/agentedge.v1.AgentEdgeService',
    '/v3/artifacts',
    // This route checks the token itself, in the form that git sends.
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
])('at %s, %s is for the agent endpoint', (host, given, origin) => {
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
])('at %s, %s is not for the agent endpoint', (host, given) => {
  const reach = agentReach({ host, port: 0 }, 8443);
  expect(() => reach.originOf(given, undefined)).toThrow('Forbidden');
});

test('the URL shows TLS, and omits the default port', () => {
  const reach = agentReach({ host: '0.0.0.0', port: 443, tls }, 443);
  expect(reach.originOf('10.0.0.7', undefined)).toBe('https://10.0.0.7');
});

test('accepts the public URL and the listening address, and gives agents the public URL', () => {
  const publicUrl = 'https://ci.example/agents';
  const reach = agentReach({ host: '10.0.0.7', port: 8443, publicUrl }, 8443);
  expect(reach.originOf('ci.example', undefined)).toBe(publicUrl);
  expect(reach.originOf('CI.example:443', undefined)).toBe(publicUrl);
  expect(reach.originOf('10.0.0.7:8443', undefined)).toBe(publicUrl);
  for (const host of ['ci.example:8443', 'evil.example', '10.0.0.8:8443'])
    expect(() => reach.originOf(host, undefined)).toThrow('Forbidden');
});

test('on all interfaces, accepts only the public URL', () => {
  const reach = agentReach({ host: '::', port: 80, publicUrl: 'http://ci.example' }, 80);
  expect(reach.originOf('ci.example', undefined)).toBe('http://ci.example');
  expect(() => reach.originOf('10.0.0.7', undefined)).toThrow('Forbidden');
});

test("rejects requests from web pages, the service's own included", () => {
  const reach = agentReach({ host: '0.0.0.0', port: 0 }, 8443);
  for (const page of ['null', 'http://10.0.0.7:8443', 'http://evil.example'])
    expect(() => reach.originOf('10.0.0.7:8443', page)).toThrow('not for pages');
});
