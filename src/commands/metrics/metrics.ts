import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { ownFormat } from '../output-flags.ts';
import { queueNames, printMetrics, onlyQueues, type View, metricsRows } from './exports.ts';
import { serveMetrics } from './serve-metrics.ts';
import { type metricsCommand, queueMetrics } from './index.ts';
import type { Metrics } from '../../api/resources/metrics.ts';
import { checkFields } from '../../render/fields.ts';
import { createPainter } from '../../render/painter.ts';
import { drawTable } from '../../render/table.ts';
import { fieldOf } from '../../render/cell.ts';
import { poll } from '../../watch/poll.ts';

export const showMetrics: Handler<typeof metricsCommand> = async (input, context) => {
  const format = ownFormat(input.format, 'json', context);
  checkFlags(input, format);
  if (input.listen !== undefined) return serveMetrics(input.listen, input.queue, context);
  const view = { format, queues: input.queue };
  if (input.watch) return watchMetrics(input.interval, view, context);
  const { metrics } = await (await context.client()).metrics.get();
  const chosen = onlyQueues(metrics, input.queue);
  reportMissing(input.queue, queueNames(chosen), context);
  await printMetrics(chosen, view, context);
};

function checkFlags(input: Input<typeof metricsCommand>, format: string | undefined): void {
  const { watch, interval, timeout, listen } = input;
  if (listen !== undefined) {
    if (watch) throw usageError('--listen and --watch cannot be used together');
    if (format !== undefined && format !== 'prometheus') {
      throw usageError(`--listen and --format ${format} cannot be used together`);
    }
  }
  if (!watch && interval !== undefined) throw usageError('--interval requires --watch');
  if (!watch && timeout !== undefined) throw usageError('--timeout requires --watch');
}

function reportMissing(
  asked: readonly string[],
  there: readonly string[],
  { messages }: Context,
): void {
  const missing = asked.filter((name) => !there.includes(name));
  if (missing.length > 0) messages.note(`no metrics for queue ${missing.join(' or ')}`);
}

/**
 * Polls every `interval` milliseconds, but never sooner than the service allows (header
 * `Buildkite-Agent-Metrics-Poll-Duration`). Throws the signal's reason when aborted.
 */
async function watchMetrics(
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
      messages.note(`${error.message}; retrying in ${Math.ceil(pause / second)} s`);
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
const shortest = 100;
const maxOutage = 30 * 60 * second;

interface Viewer {
  show(metrics: Metrics): Promise<void>;
  close(): Promise<void>;
}

/** Updates the table in place if the terminal allows that; otherwise prints a new one each time. */
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
