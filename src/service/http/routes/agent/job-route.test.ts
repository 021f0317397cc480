import { expect, test } from 'vitest';
import { finalStatus } from './job-route.ts';

const old = 'buildkite-agent/3.90.0.7922 (linux; amd64)';
const current = 'buildkite-agent/4.0.0-beta.15.x (linux; amd64)';

test.each([
  [422, '/v3/jobs/:job/annotations', current, 400],
  [413, '/v3/jobs/:job/annotations', old, 400],
  [422, '/v3/jobs/:job/artifacts', old, 400],
  [422, '/v3/jobs/:job/artifacts', current, 400],
  [422, '/v3/jobs/:job/artifacts', 'curl/8.0', 422],
  [400, '/v3/jobs/:job/pipelines', old, 422],
  [413, '/v3/jobs/:job/pipelines', current, 422],
  [422, '/v3/jobs/:job/data/set', old, 404],
  [413, '/v3/jobs/:job/data/set', old, 404],
  [422, '/v3/jobs/:job/data/set', current, 400],
  [422, '/v3/jobs/:job/promise_failure', current, 422],
  [422, '/local/v1/job/env', current, 422],
  [401, '/v3/jobs/:job/pipelines', old, 401],
  [404, '/v3/jobs/:job/data/get', old, 404],
  [507, '/v3/jobs/:job/data/set', old, 507],
])('%i from %s, for the agent %s, is sent as %i', (status, path, agent, expected) => {
  expect(finalStatus(status, path, agent)).toBe(expected);
});
