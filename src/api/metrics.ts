import { readBodyText } from '../http/body.ts';
import { headerSeconds } from '../http/headers.ts';
import { decodeObject, isRecord } from './decode.ts';
import type { SendRequest } from './send-request.ts';
import type { Metrics } from './resources/metrics.ts';
import type { Call } from './call.ts';
import { bounded } from '../http/network-error-text.ts';
import { typeName } from './resources/check.ts';
import { InvalidResponseError } from '../http/transport.ts';

export const metrics = (send: SendRequest) => ({
  /** `pollDuration` is the minimum time between calls in milliseconds, from 1 second to 1 hour. */
  get: () =>
    send(call, async (response) => ({
      metrics: checkedMetrics(decodeObject(await readBodyText(response))),
      pollDuration: pollDuration(response.headers['buildkite-agent-metrics-poll-duration']),
    })),
  organization: () =>
    send(call, async (response) => metricsOrganization(decodeObject(await readBodyText(response)))),
});

const call: Call = {
  method: 'GET',
  path: ['v3', 'metrics'],
  action: 'read the metrics',
  login: 'cictl auth login --agent',
};

const pollDuration = (header: string | undefined): number =>
  Math.min(Math.max(headerSeconds(header) ?? 10 * second, second), hour);

const second = 1000;
const hour = 60 * 60 * second;

/** Throws `InvalidResponseError` unless all counts are exact integers. */
export function checkedMetrics(response: Record<string, unknown>): Metrics {
  for (const [kind, names] of Object.entries(counted)) {
    const totals = response[kind];
    if (!isRecord(totals)) throw wrong(kind, totals, 'an object');
    checkCounts(kind, names, totals);
    checkQueues(kind, names, totals['queues']);
  }
  checkNames(response);
  return response;
}

export function metricsOrganization(response: Record<string, unknown>): string | undefined {
  if (!['organization', 'agents', 'jobs'].some((name) => isRecord(response[name]))) {
    throw new InvalidResponseError('the response has no organization, agents or jobs');
  }
  checkNames(response);
  return (response as Metrics).organization?.slug ?? undefined;
}

function checkNames({ organization, cluster }: Record<string, unknown>): void {
  checkText('organization', 'slug', organization);
  checkText('cluster', 'name', cluster);
}

const counted = {
  agents: ['idle', 'busy', 'total'],
  jobs: ['scheduled', 'running', 'waiting', 'total'],
} as const;

function checkQueues(kind: string, names: readonly string[], queues: unknown = {}): void {
  if (queues === null) return;
  if (!isRecord(queues)) throw wrong(`${kind}.queues`, queues, 'an object');
  for (const [queue, found] of Object.entries(queues)) {
    const path = `${kind}.queues.${bounded(queue, 80)}`;
    if (!isRecord(found)) throw wrong(path, found, 'an object');
    checkCounts(path, names, found);
  }
}

/** A missing count must not become 0, because a monitor would then report that all is well. */
function checkCounts(path: string, names: readonly string[], found: Record<string, unknown>): void {
  for (const name of names) {
    const value = found[name];
    if (Number.isSafeInteger(value)) continue;
    throw wrong(`${path}.${name}`, value, 'an integer below 2^53');
  }
}

function checkText(name: string, member: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (!isRecord(value)) throw wrong(name, value, 'an object');
  const text = value[member] ?? '';
  if (typeof text !== 'string') throw wrong(`${name}.${member}`, text, 'a string');
}

const wrong = (path: string, value: unknown, wanted: string): InvalidResponseError =>
  new InvalidResponseError(`${path} is ${typeName(value)} instead of ${wanted}`);
