import type { Client } from '../../api/client.ts';
import type { BuildRef } from '../../api/refs.ts';
import type { Context } from '../../context.ts';
import type { BuildReader } from './build-reader.ts';
import { withHeaderEmojis } from '../../render/header-emojis.ts';
import { createPainter, type Painter } from '../../render/painter.ts';
import { pausable } from '../../render/pausable-painter.ts';
import { jobLogs, type JobLogs, type JobLogsOptions } from '../../watch/job-logs.ts';
import { createJobNames } from '../../watch/job-names.ts';
import { liveView } from '../../watch/live-view.ts';
import { prefixLines } from '../../watch/prefix-lines.ts';
import { settledLines } from '../../watch/settled-lines.ts';
import { shortName } from '../../watch/short-name.ts';
import { jsonView, lineView, viewKind, type View } from '../../watch/view.ts';

/**
 * How the run is shown: events as JSON; a live frame below the logs on a terminal; else lines, with
 * the logs between them.
 */
export function createView(
  client: Client,
  ref: BuildRef,
  { isSilent }: Pick<BuildReader, 'isSilent'>,
  context: Context,
): View {
  const { out } = context;
  const kind = viewKind(out);
  if (kind === 'json') return jsonView(context);
  if (kind === 'lines')
    return lineView(context, { logs: plainLogs(reading(client, ref, context, isSilent), context) });
  const painter = pausable(createPainter(out));
  const logs = colouredLogs(reading(client, ref, context, isSilent), context, painter);
  return liveView({ ...context, painter, logs });
}

/** Plain text between the lines of a pipe. */
function plainLogs(reading: Reading, context: Context): JobLogs {
  const nameOf = createJobNames(shortName);
  return jobLogs({
    ...reading,
    print: async (job, log, build) => {
      const name = nameOf(build, job);
      for await (const text of settledLines(log, {})) {
        await context.out.write(prefixLines(text, name));
      }
    },
  });
}

/** Text above the frame, with the colours of the log where there may be colours. */
function colouredLogs(reading: Reading, context: Context, painter: Painter): JobLogs {
  const { color } = context.out;
  const colours = color.bold('x') !== 'x';
  const nameOf = createJobNames(shortName);
  return jobLogs({
    ...reading,
    print: async (job, log, build) => {
      const name = color.dim(nameOf(build, job));
      for await (const text of settledLines(log, { colours })) {
        await painter.above(prefixLines(await withHeaderEmojis(text), name));
      }
    },
  });
}

type Reading = Omit<JobLogsOptions, 'print'>;

const reading = (
  client: Client,
  ref: BuildRef,
  { clock }: Context,
  isSilent: BuildReader['isSilent'],
): Reading => ({
  read: (job: string, range: string | undefined) =>
    client.jobs.logText({ ...ref, job }, range === undefined ? {} : { range }),
  clock,
  pause: 150,
  isSilent,
});
