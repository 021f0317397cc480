import { stringifyJson } from '../../api/json.ts';
import type { Metrics } from '../../api/resources/metrics.ts';
import type { Context } from '../../context.ts';
import { pickPaths } from '../../render/fields.ts';
import { queueMetrics } from './index.ts';
import { cleanText } from '../../common/untrusted-text.ts';

export interface View {
  /** A value of `--format`; undefined for a table on a terminal and TSV in a pipe. */
  readonly format: string | undefined;
  /** The queues given by `--queue`. If empty, all queues and the totals are shown. */
  readonly queues: readonly string[];
}

export async function printMetrics(
  metrics: Metrics,
  view: View,
  { out, settings }: Context,
): Promise<void> {
  if (view.format === 'json') {
    const shown = settings.fields === undefined ? metrics : pickPaths(metrics, settings.fields);
    return out.document(`${stringifyJson(shown, out.isTerminal ? 2 : undefined)}\n`);
  }
  const text = exported(metrics, view);
  if (text !== undefined) return text === '' ? undefined : out.line(text.trimEnd());
  await out.list(queueMetrics, metricsRows(metrics, view.queues), {
    empty: 'no queues found',
    ...(view.format === 'table' && { format: 'table' }),
  });
}

/** The metrics for a monitoring system. Totals are omitted if queues are selected. */
export function exported(metrics: Metrics, { format, queues }: View): string | undefined {
  if (format !== 'prometheus' && format !== 'statsd') return undefined;
  const counts = countsOf(metrics, queues);
  return format === 'prometheus' ? toPrometheus(counts) : toStatsd(counts);
}

/** Marks the row for the whole organization. No queue can have this name. */
const whole = '(all)';

/**
 * One row per queue. Without selected queues, the last row is for the whole organization. A
 * selected queue has a row even if the service does not know it. Missing counts are 0.
 */
export function metricsRows(document: Metrics, chosen: readonly string[]): object[] {
  const { agents, jobs } = document;
  const names = chosen.length > 0 ? [...new Set(chosen)].sort() : queueNames(document);
  const rows = names.map((queue) => ({
    ...document,
    queue,
    agents: { ...noAgents, ...own(agents?.queues, queue) },
    jobs: { ...noJobs, ...own(jobs?.queues, queue) },
  }));
  return chosen.length > 0 ? rows : [...rows, { ...document, queue: whole }];
}

const noAgents = { idle: 0, busy: 0, total: 0 };
const noJobs = { scheduled: 0, running: 0, waiting: 0, total: 0 };

/** Keeps only the chosen queues. The totals are unchanged. */
export function onlyQueues(document: Metrics, chosen: readonly string[]): Metrics {
  if (chosen.length === 0) return document;
  const { agents, jobs } = document;
  return {
    ...document,
    ...(agents && { agents: { ...agents, queues: pick(agents.queues, chosen) } }),
    ...(jobs && { jobs: { ...jobs, queues: pick(jobs.queues, chosen) } }),
  };
}

const pick = <T>(queues: Record<string, T> | null | undefined, chosen: readonly string[]) =>
  Object.fromEntries(Object.entries(queues ?? {}).filter(([name]) => chosen.includes(name)));

/** Gauges by name, for the whole organization and for each queue. */
interface Counts {
  /** Empty if the cluster is unknown. */
  readonly cluster: string;
  readonly totals: Gauges;
  readonly queues: ReadonlyMap<string, Gauges>;
}

type Gauges = ReadonlyMap<string, number>;

/**
 * Metrics with the names of the public exporter buildkite-agent-metrics, so that existing
 * dashboards and alerts work. Every gauge exists, and is 0 if nothing is counted. If `asked` is not
 * empty, returns only those queues, even if the service does not know them; otherwise all queues
 * and totals.
 */
function countsOf(metrics: Metrics, asked: readonly string[]): Counts {
  const { agents, jobs, cluster } = metrics;
  const names = asked.length > 0 ? [...new Set(asked)].sort() : queueNames(metrics);
  const queues = names.map((name): [string, Gauges] => [
    name,
    gauges(own(jobs?.queues, name), own(agents?.queues, name)),
  ]);
  const totals = asked.length > 0 ? new Map<string, number>() : gauges(jobs, agents);
  return { cluster: cluster?.name ?? '', totals, queues: new Map(queues) };
}

export const queueNames = ({ agents, jobs }: Metrics): string[] =>
  [...new Set([...Object.keys(agents?.queues ?? {}), ...Object.keys(jobs?.queues ?? {})])].sort();

/** Works for any queue name, even `constructor`. */
const own = <T>(
  queues: Readonly<Record<string, T>> | null | undefined,
  name: string,
): T | undefined => (queues && Object.hasOwn(queues, name) ? queues[name] : undefined);

type Jobs = Omit<NonNullable<Metrics['jobs']>, 'queues'>;
type Agents = Omit<NonNullable<Metrics['agents']>, 'queues'>;

function gauges(jobs: Jobs | null | undefined, agents: Agents | null | undefined): Gauges {
  const { scheduled, running, waiting, total: unfinished } = jobs ?? {};
  const { idle, busy, total } = agents ?? {};
  return new Map([
    ['ScheduledJobsCount', scheduled ?? 0],
    ['RunningJobsCount', running ?? 0],
    ['WaitingJobsCount', waiting ?? 0],
    ['UnfinishedJobsCount', unfinished ?? 0],
    ['IdleAgentCount', idle ?? 0],
    ['BusyAgentCount', busy ?? 0],
    ['TotalAgentCount', total ?? 0],
    ['BusyAgentPercentage', total ? Math.floor((100 * (busy ?? 0)) / total) : 0],
  ]);
}

/** Prometheus text exposition format, version 0.0.4, sorted by name. */
function toPrometheus({ cluster, totals, queues }: Counts): string {
  const labels = cluster === '' ? [] : [label('cluster', cluster)];
  const gaugeSets = [...queues].map(([queue, gauges]): LabeledGauges => ({
    labels: [...labels, label('queue', queue)],
    gauges,
  }));
  return [
    ...families('Buildkite Queues', 'buildkite_queues_', gaugeSets),
    ...families('Buildkite Total', 'buildkite_total_', [{ labels, gauges: totals }]),
  ].join('');
}

interface LabeledGauges {
  readonly labels: readonly string[];
  readonly gauges: Gauges;
}

function families(help: string, prefix: string, gaugeSets: readonly LabeledGauges[]): string[] {
  const names = new Set(gaugeSets.flatMap(({ gauges }) => [...gauges.keys()]));
  return [...names].sort().map((name) => {
    const metric = prefix + snakeCase(name);
    const samples = gaugeSets.flatMap(({ labels, gauges }) => {
      const value = gauges.get(name);
      return value === undefined ? [] : `${metric}${braces(labels)} ${value}\n`;
    });
    return `# HELP ${metric} ${help}: ${name}\n# TYPE ${metric} gauge\n${samples.join('')}`;
  });
}

/** `BusyAgentCount` -> `busy_agent_count`. */
const snakeCase = (name: string): string =>
  name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

const braces = (labels: readonly string[]): string =>
  labels.length === 0 ? '' : `{${labels.join(',')}}`;

const label = (name: string, value: string): string =>
  `${name}="${cleanText(value).replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;

/** StatsD gauges, one per line: `buildkite.queues.default.RunningJobsCount:3|g`. */
function toStatsd({ cluster, totals, queues }: Counts): string {
  const prefix = `buildkite.${cluster === '' ? '' : `clusters.${part(cluster)}.`}`;
  const lines = [
    ...gaugeLines(prefix, totals),
    ...[...queues].flatMap(([queue, gauges]) =>
      gaugeLines(`${prefix}queues.${part(queue)}.`, gauges),
    ),
  ];
  return lines.join('');
}

const gaugeLines = (prefix: string, gauges: Gauges): string[] =>
  [...gauges].map(([name, value]) => `${prefix}${name}:${value}|g\n`);

/** Replaces characters that have a special meaning in StatsD lines. */
const part = (name: string): string => cleanText(name).replace(/[:|@#\s\p{Cc}]/gu, '_');
