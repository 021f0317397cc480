import { stringifyJson } from '../../api/json.ts';
import type { Metrics } from '../../api/resources/metrics.ts';
import type { Context } from '../../context.ts';
import { pickPaths } from '../../render/path.ts';
import { countsOf } from './counts.ts';
import { toPrometheus } from './prometheus.ts';
import { metricsRows } from './rows.ts';
import { toStatsd } from './statsd.ts';
import { queueMetrics } from './queue-metrics.ts';

export interface View {
  /** One of `--format`; undefined: a table on a terminal, TSV in a pipe. */
  readonly format: string | undefined;
  /** The queues that were chosen; none for all, with the totals. */
  readonly queues: readonly string[];
}

/** Prints the metrics once. */
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

/** The metrics for a monitoring system; those of the whole organization only without a choice. */
export function exported(metrics: Metrics, { format, queues }: View): string | undefined {
  if (format !== 'prometheus' && format !== 'statsd') return undefined;
  const counts = countsOf(metrics, queues);
  return format === 'prometheus' ? toPrometheus(counts) : toStatsd(counts);
}
