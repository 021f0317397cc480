/** `--logs`: the last lines of what fails, as it fails. */
import { jobName, type BuildRef } from '../api/refs.ts';
import type { Client } from '../api/client.ts';
import type { Job } from '../api/resources/job.ts';
import type { Context } from '../context.ts';
import { CictlError } from '../errors.ts';
import { tail } from '../log/head-tail.ts';
import { settle } from '../log/settle.ts';
import { chain, pump } from '../log/stage.ts';
import { standalone } from '../log/standalone.ts';
import { withHeaderEmojis } from '../render/header-emojis.ts';
import { jobExit } from './outcome.ts';
import { prefixLines } from './prefix-lines.ts';
import { shortName } from './short-name.ts';
import type { Event } from './changes.ts';
import { viewKind, type View } from './view.ts';
import { endOfLog } from '../api/log-bytes.ts';

const lineCount = 20;

/**
 * Shows the end of each log once, when its job has failed, soft failures included. A log that
 * cannot be read is reported in its place: the build is what is waited for.
 */
export function createFailedLogTails(
  client: Client,
  ref: BuildRef,
  view: View,
  context: Context,
): (event: Event) => Promise<void> {
  const shown = new Set<string>();
  return async (event) => {
    if (event.event !== 'job' || !hasFailed(event.job)) return;
    const { id } = event.job;
    if (!id || shown.has(id)) return;
    shown.add(id);
    try {
      const text = await endOf(client, { ...ref, job: id }, context);
      if (text !== '') await view.show(prefixLines(text, shortName(event.job)));
    } catch (error) {
      if (!(error instanceof CictlError) || context.signal.aborted) throw error;
      await view.note(`no log of ${jobName({ ...ref, job: id })}: ${error.message}`);
    }
  };
}

/** Only what an agent has begun to run has a log. */
const hasFailed = (job: Job): boolean =>
  jobExit({ ...job, soft_failed: false }) === 1 && Boolean(job.started_at);

async function endOf(
  { jobs }: Client,
  ref: BuildRef & { readonly job: string },
  { out }: Context,
): Promise<string> {
  const isLive = viewKind(out) === 'live';
  const colours = isLive && out.color.bold('x') !== 'x';
  const log = (await endOfLog(jobs, ref, lineCount)).body;
  const chunks: Uint8Array[] = [];
  for await (const chunk of pump(log, chain(settle({ colours }), standalone(), tail(lineCount))))
    chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return isLive ? withHeaderEmojis(text) : text;
}
