import { expect, test } from 'vitest';
import { serve } from '../../test/support/server.ts';
import { testClient } from '../../test/support/client.ts';
import { virtualClock } from '../../test/support/virtual-clock.ts';

const agents = { idle: 0, busy: 0, total: 0 };
const jobs = { scheduled: 0, running: 0, waiting: 0, total: 0 };

test.each<[string | readonly string[] | undefined, number]>([
  [undefined, 10_000],
  ['10', 10_000],
  ['30', 30_000],
  [['10', '10'], 10_000],
  ['0', 1000],
  ['3600', 3_600_000],
  ['2147484', 3_600_000],
  ['9'.repeat(400), 3_600_000],
  ['-5', 10_000],
  ['soon', 10_000],
])('a poll duration of %j is kept between a second and an hour', async (value, expected) => {
  const headers = value === undefined ? {} : { 'Buildkite-Agent-Metrics-Poll-Duration': value };
  const server = await serve([
    { path: '/v3/metrics', answer: { json: { agents, jobs }, headers } },
  ]);
  const client = testClient(server.url, virtualClock());
  expect((await client.metrics.get()).pollDuration).toBe(expected);
  await client.close();
});
