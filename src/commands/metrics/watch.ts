import type { Metrics } from '../../api/resources/metrics.ts';
import type { Context } from '../../context.ts';
import { checkFields } from '../../render/fields.ts';
import { createPainter } from '../../render/painter.ts';
import { drawTable } from '../../render/table.ts';
import { fieldOf } from '../../render/cell.ts';
import { poll } from '../../watch/poll.ts';
import { printMetrics, type View } from './print.ts';
import { onlyQueues, metricsRows } from './rows.ts';
import { queueMetrics } from './queue-metrics.ts';

/**
 * Polls every `interval` milliseconds, but never sooner than the service allows (its header
 * `Buildkite-Agent-Metrics-Poll-Duration`). Ends with the reason of the signal.
 */
export async function watchMetrics(
  interval: number = 10 * second,
  view: View,
  context: Context,
): Promise<void> {
  const { clock, signal, messages } = context;
  const client = await context.client();
  const show = viewer(view, context);
  const snapshots = poll(() => client.metrics.get(), {
    ...{
      clock,
      signal,
      interval: Math.max(interval, shortest),
      maxOutage,
      subject: 'the end of the watch',
    },
    minInterval: ({ pollDuration }) => pollDuration,
    hasChanged: () => true,
    onError: async (error, pause) => {
      messages.note(`${error.message}; the next try is in ${Math.ceil(pause / second)} s`);
      return Promise.resolve();
    },
  });
  try {
    for await (const { metrics } of snapshots) await show.show(onlyQueues(metrics, view.queues));
  } finally {
    await show.close();
  }
}

const second = 1000;
/** The shortest interval, in milliseconds. */
const shortest = 100;
const maxOutage = 30 * 60 * second;

interface Viewer {
  show(metrics: Metrics): Promise<void>;
  close(): Promise<void>;
}

/** If the screen allows it, the table changes in place; otherwise each result is printed below the last. */
function viewer(view: View, context: Context): Viewer {
  const { out } = context;
  const isTable = view.format === 'table' || (view.format === undefined && out.format === 'table');
  if (!out.isScreen || !isTable) {
    return { show: (metrics) => printMetrics(metrics, view, context), close: async () => {} };
  }
  const painter = createPainter(out);
  return {
    show: (metrics) => painter.paint(lines(metrics, view, context)),
    close: () => painter.close(),
  };
}

function lines(metrics: Metrics, { queues }: View, { out, settings, clock }: Context): string[] {
  const { fields } = settings;
  const columns = fields === undefined ? queueMetrics.columns : checkFields(queueMetrics, fields);
  const table = drawTable(
    columns.map((column) => fieldOf(queueMetrics, column)),
    metricsRows(metrics, queues),
    {
      ...{ colors: out.color, now: clock.now(), width: out.width },
      keepsEmpty: fields !== undefined,
    },
  );
  return table.trimEnd().split('\n');
}
