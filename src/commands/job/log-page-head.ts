import { buildName, jobName, type JobRef } from '../../api/refs.ts';
import { durationOf } from '../../api/resources/duration.ts';
import type { Job } from '../../api/resources/job.ts';
import { cachedJob } from '../../cache/with-log-cache.ts';
import { withTimeLimit } from '../../common/clock.ts';
import { cleanLine } from '../../common/untrusted-text.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import type { PageHead } from '../../log/html/page.ts';
import { stateColor, stateLabel } from '../../render/state.ts';
import { duration, instant } from '../../render/time.ts';

export async function pageHead(
  ref: JobRef,
  known: Job | undefined,
  context: Context,
): Promise<PageHead> {
  const job = known ?? (await cachedJob(ref, context)) ?? (await findJob(ref, context));
  const title = jobName(ref);
  const build = buildName(ref);
  if (job === undefined) return { title, build };
  const seconds = durationOf(job, context.clock.now());
  const start = instant(job.started_at ?? '');
  return {
    title,
    build,
    job: cleanLine(job.name ?? job.label ?? job.step_key ?? ref.job),
    address: job.web_url ?? undefined,
    state: stateOf(job),
    facts: [
      ...(seconds === null ? [] : [duration(seconds * 1000)]),
      ...(typeof job.exit_status === 'number' ? [`exit status ${job.exit_status}`] : []),
      ...(start === undefined ? [] : [utcTime(start)]),
    ],
    hasFailed: job.state === 'failed' || job.state === 'timed_out',
  };
}

/** Timeout in milliseconds. It is short because the log is printed only after this lookup. */
const timeout = 3000;

/** Returns undefined if the lookup fails, because the log is shown anyway. */
async function findJob(ref: JobRef, context: Context): Promise<Job | undefined> {
  const { clock, settings } = context;
  const { builds } = await context.client();
  const ms = Math.min(timeout, settings.requestTimeout);
  const reason = new CictlError('unreachable', `cannot look up job ${jobName(ref)}: no response`);
  try {
    const { jobs } = await withTimeLimit(
      (signal) => builds.get(ref, { includeRetriedJobs: true, signal }),
      { ms, clock, reason },
    );
    return (jobs ?? []).find(({ id }) => id === ref.job);
  } catch (error) {
    if (!(error instanceof CictlError) || context.signal.aborted) throw error;
    return undefined;
  }
}

function stateOf({ state, soft_failed }: Job): PageHead['state'] {
  if (typeof state !== 'string') return undefined;
  const color = stateColor(state, { soft_failed });
  const tone = color === 'green' ? 'good' : color === 'red' ? 'bad' : 'busy';
  return { text: stateLabel(state, { soft_failed }), tone };
}

const utcTime = (time: number): string =>
  new Date(time)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');
