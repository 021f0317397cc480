import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { ownFormat } from '../own-format.ts';
import { queueNames } from './counts.ts';
import { serveMetrics } from './serve-metrics.ts';
import type { metricsCommand } from './index.ts';
import { printMetrics } from './print.ts';
import { onlyQueues } from './rows.ts';
import { watchMetrics } from './watch.ts';

/** `cictl metrics`. */
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
      throw usageError(`--listen serves prometheus, not ${format}`);
    }
  }
  if (!watch && interval !== undefined) throw usageError('--interval goes with --watch');
  if (!watch && timeout !== undefined) throw usageError('--timeout goes with --watch');
}

function reportMissing(
  asked: readonly string[],
  there: readonly string[],
  { messages }: Context,
): void {
  const missing = asked.filter((name) => !there.includes(name));
  if (missing.length > 0) messages.note(`no queue is named ${missing.join(' or ')}`);
}
