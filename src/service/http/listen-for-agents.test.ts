import { expect, test } from 'vitest';
import { routesForAgents } from './listen-for-agents.ts';
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
