import { expect, test } from 'vitest';
import type { Metrics } from '../../api/resources/metrics.ts';
import { parseListenAddress } from './serve-metrics.ts';
import { exported } from './exports.ts';

const metrics: Metrics = {
  agents: {
    ...{ idle: 2, busy: 1, total: 3 },
    queues: { default: { idle: 2, busy: 1, total: 3 }, idle: { idle: 0, busy: 0, total: 0 } },
  },
  jobs: {
    ...{ scheduled: 4, running: 1, waiting: null, total: 5 },
    queues: { 'odd "\\\n:|q': { scheduled: 4, running: 0, waiting: 0, total: 4 } },
  },
  organization: { slug: 'acme' },
};

const lines = (format: string, queues: string[] = [], from: Metrics = metrics): string[] =>
  (exported(from, { format, queues }) ?? '').split('\n');

test.each([
  'buildkite_total_scheduled_jobs_count 4',
  'buildkite_total_running_jobs_count 1',
  'buildkite_total_waiting_jobs_count 0',
  'buildkite_total_unfinished_jobs_count 5',
  'buildkite_total_idle_agent_count 2',
  'buildkite_total_busy_agent_count 1',
  'buildkite_total_total_agent_count 3',
  'buildkite_total_busy_agent_percentage 33',
  'buildkite_queues_busy_agent_count{queue="default"} 1',
  'buildkite_queues_busy_agent_percentage{queue="idle"} 0',
  'buildkite_queues_scheduled_jobs_count{queue="odd \\"\\\\\\n:|q"} 4',
  '# HELP buildkite_queues_busy_agent_count Buildkite Queues: BusyAgentCount',
  '# TYPE buildkite_queues_busy_agent_count gauge',
  '# HELP buildkite_total_unfinished_jobs_count Buildkite Total: UnfinishedJobsCount',
])('Prometheus: %s', (line) => {
  expect(lines('prometheus')).toContain(line);
});

test('Prometheus: describes a family once, followed by its samples', () => {
  const all = lines('prometheus').slice(0, -1);
  const described = all
    .filter((line) => line.startsWith('# TYPE'))
    .map((line) => line.split(' ')[2]);
  expect(new Set(described).size).toBe(16);
  expect(described).toHaveLength(16);
  let family: string | undefined;
  for (const line of all) {
    if (line.startsWith('# TYPE')) family = line.split(' ')[2];
    else if (!line.startsWith('#')) expect(line.split(/[{ ]/)[0]).toBe(family);
  }
});

test('a queue without agents has 0 agents, one without jobs 0 jobs', () => {
  const odd = lines('prometheus').filter((line) => /agent.*odd/.test(line));
  expect(odd.map((line) => line.replace(/{.*}/, ''))).toEqual([
    'buildkite_queues_busy_agent_count 0',
    'buildkite_queues_busy_agent_percentage 0',
    'buildkite_queues_idle_agent_count 0',
    'buildkite_queues_total_agent_count 0',
  ]);
  expect(lines('prometheus')).toContain('buildkite_queues_waiting_jobs_count{queue="idle"} 0');
  expect(lines('statsd')).toContain('buildkite.queues.idle.UnfinishedJobsCount:0|g');
});

test.each(['nosuch', 'constructor', '__proto__'])('the requested queue %s has zeros', (queue) => {
  const gauges = lines('prometheus', [queue]).filter((line) => !line.startsWith('#'));
  expect(gauges.filter((line) => line.includes(`queue="${queue}"`))).toHaveLength(8);
  expect(gauges.every((line) => line === '' || line.endsWith(' 0'))).toBe(true);
  expect(lines('statsd', [queue])).toContain(`buildkite.queues.${queue}.IdleAgentCount:0|g`);
});

test.each([
  'buildkite.RunningJobsCount:1|g',
  'buildkite.BusyAgentPercentage:33|g',
  'buildkite.queues.default.IdleAgentCount:2|g',
  'buildkite.queues.odd_"\\___q.ScheduledJobsCount:4|g',
])('StatsD: %s', (line) => {
  expect(lines('statsd')).toContain(line);
});

test('selected queues come without totals', () => {
  const chosen = [...lines('prometheus', ['default']), ...lines('statsd', ['default'])];
  expect(
    chosen.filter((line) => /total_|buildkite\.[A-Z]/.test(line) && !line.includes('queue')),
  ).toEqual([]);
});

test('shows a cluster', () => {
  const clustered = { ...metrics, cluster: { name: 'main' } };
  expect(lines('prometheus', [], clustered)).toContain(
    'buildkite_queues_idle_agent_count{cluster="main",queue="default"} 2',
  );
  expect(lines('statsd', [], clustered)).toContain(
    'buildkite.clusters.main.queues.default.IdleAgentCount:2|g',
  );
});

test('tolerates missing members', () => {
  expect(lines('prometheus', [], {})).toContain('buildkite_total_idle_agent_count 0');
  const statsd = lines('statsd', [], { jobs: {}, agents: null });
  expect(statsd).toContain('buildkite.RunningJobsCount:0|g');
  expect(statsd).toContain('buildkite.BusyAgentPercentage:0|g');
});

test.each([
  ['9100', '127.0.0.1', 9100],
  [':9100', '127.0.0.1', 9100],
  ['0.0.0.0:0', '0.0.0.0', 0],
  ['host.example:1', 'host.example', 1],
  ['[::1]:80', '::1', 80],
])('--listen %s', (text, host, port) => {
  expect(parseListenAddress(text)).toEqual({ host, port });
});

test.each(['', 'host', '70000', '::1:80', 'host:', '-1'])('--listen rejects %j', (text) => {
  expect(() => parseListenAddress(text)).toThrow('[HOST:]PORT');
});
