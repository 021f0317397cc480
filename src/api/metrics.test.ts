import { expect, test, describe } from 'vitest';
import { LosslessNumber } from 'lossless-json';
import { serve } from '../../test/support/server.ts';
import { testClient } from '../../test/support/client.ts';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import { InvalidResponseError } from '../http/transport.ts';
import { checkedMetrics, metricsOrganization } from './metrics.ts';

describe('metrics', () => {
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
  ])('limits a poll duration of %j to between a second and an hour', async (value, expected) => {
    const headers = value === undefined ? {} : { 'Buildkite-Agent-Metrics-Poll-Duration': value };
    const server = await serve([
      { path: '/v3/metrics', answer: { json: { agents, jobs }, headers } },
    ]);
    const client = testClient(server.url, virtualClock());
    expect((await client.metrics.get()).pollDuration).toBe(expected);
    await client.close();
  });
});

describe('checked metrics', () => {
  const agents = { idle: 1, busy: 2, total: 3 };
  const jobs = { scheduled: 1, running: 2, waiting: 3, total: 6 };
  const queues = (value: unknown) => ({ agents: { ...agents, queues: value }, jobs });

  test.each<[string, Record<string, unknown>]>([
    ['the counts alone', { agents, jobs }],
    ['nobody and nothing', { agents: { idle: 0, busy: 0, total: 0 }, jobs }],
    ['no queue', queues({})],
    ['queues that are null', queues(null)],
    ['queues', { ...queues({ gpu: agents }), jobs: { ...jobs, queues: { default: jobs } } }],
    ['whose they are', { agents, jobs, organization: { slug: 'acme' }, cluster: { name: 'c' } }],
    ['null names', { agents, jobs, organization: null, cluster: { name: null } }],
  ])('passes metrics with %s unchanged', (_, response) => {
    expect(checkedMetrics(response)).toBe(response);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ jobs }, 'agents is missing instead of an object'],
    [{ agents }, 'jobs is missing instead of an object'],
    [{ agents: [], jobs }, 'agents is an array instead of an object'],
    ...['idle', 'busy', 'total'].map((name): [Record<string, unknown>, string] => [
      { agents: { ...agents, [name]: undefined }, jobs },
      `agents.${name} is missing instead of an integer below 2^53`,
    ]),
    ...['scheduled', 'running', 'waiting', 'total'].map(
      (name): [Record<string, unknown>, string] => [
        { agents, jobs: { ...jobs, [name]: '1' } },
        `jobs.${name} is a string instead of an integer below 2^53`,
      ],
    ),
    [
      { agents: { ...agents, idle: 0.5 }, jobs },
      'agents.idle is a number instead of an integer below 2^53',
    ],
    [
      { agents: { ...agents, idle: new LosslessNumber('9007199254740993') }, jobs },
      'agents.idle is a number instead of an integer below 2^53',
    ],
    [queues([]), 'agents.queues is an array instead of an object'],
    [queues({ gpu: 3 }), 'agents.queues.gpu is a number instead of an object'],
    [queues({ gpu: null }), 'agents.queues.gpu is null instead of an object'],
    [
      queues({ gpu: { ...agents, busy: null } }),
      'agents.queues.gpu.busy is null instead of an integer below 2^53',
    ],
    [
      { agents, jobs: { ...jobs, queues: { gpu: agents } } },
      'jobs.queues.gpu.scheduled is missing instead of an integer below 2^53',
    ],
    [{ agents, jobs, organization: 'acme' }, 'organization is a string instead of an object'],
    [
      { agents, jobs, organization: { slug: 5 } },
      'organization.slug is a number instead of a string',
    ],
    [{ agents, jobs, cluster: [] }, 'cluster is an array instead of an object'],
    [{ agents, jobs, cluster: { name: {} } }, 'cluster.name is an object instead of a string'],
  ])('an invalid count does not become zero: %j', (response, message) => {
    expect(() => checkedMetrics(response)).toThrow(new InvalidResponseError(message));
  });

  test('truncates the name of a queue in a message', () => {
    expect(() => checkedMetrics(queues({ ['q'.repeat(500)]: 1 }))).toThrow(
      `agents.queues.${'q'.repeat(80)}… is a number`,
    );
  });

  test.each<[Record<string, unknown>, string | undefined]>([
    [{ organization: { slug: 'acme' } }, 'acme'],
    [{ organization: { slug: null } }, undefined],
    [{ organization: {}, agents }, undefined],
    [{ agents: {} }, undefined],
    [{ jobs: {} }, undefined],
  ])('the organization of %j is %s', (response, slug) => {
    expect(metricsOrganization(response)).toBe(slug);
  });

  test.each<[Record<string, unknown>, string]>([
    [{}, 'the response has no organization, agents or jobs'],
    [{ message: 'Sign in' }, 'the response has no organization, agents or jobs'],
    [{ organization: 'acme', agents: 1, jobs: null }, 'the response has no organization'],
    [{ organization: { slug: 7 } }, 'organization.slug is a number instead of a string'],
    [{ organization: {}, cluster: 'c' }, 'cluster is a string instead of an object'],
  ])('%j names no organization', (response, message) => {
    expect(() => metricsOrganization(response)).toThrow(message);
  });
});
