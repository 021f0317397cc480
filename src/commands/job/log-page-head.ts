import { buildName, jobName, type JobRef } from '../../api/refs.ts';
import { durationOf } from '../../api/resources/duration.ts';
import type { Job } from '../../api/resources/job.ts';
import { cachedJob } from '../../cache/with-log-cache.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import type { PageHead } from '../../log/html/page.ts';
import { stateColor, stateLabel } from '../../render/state.ts';
import { cleanLine } from '../../common/untrusted-text.ts';
import { duration, instant } from '../../render/time.ts';
import { withTimeLimit } from '../../common/clock.ts';

/** What the page of a log says of its job; `known` is the job where it was looked up before. */
export async function pageHead(
  ref: JobRef,
  known: Job | undefined,
  context: Context,
): Promise<PageHead> {
  const job = known ?? (await cachedJob(ref, context)) ?? (await findJob(ref, context));
  const title = jobName(ref);
  const build = buildName(ref);
  if (job === undefined) return { title, build };
  return {
    title,
    build,
    job: cleanLine(job.name ?? job.label ?? job.step_key ?? ref.job),
    address: job.web_url ?? undefined,
    state: stateOf(job),
    facts: [...tookTime(job, context), ...ended(job), ...began(job)],
    hasFailed: hasFailed(job),
  };
}

/** Milliseconds: the log waits for it. */
const longestWait = 3000;

/** For the head alone: where a job cannot be looked up its log is shown all the same. */
async function findJob(ref: JobRef, context: Context): Promise<Job | undefined> {
  const { clock, settings } = context;
  const { builds } = await context.client();
  const ms = Math.min(longestWait, settings.requestTimeout);
  const reason = new CictlError('unreachable', `cannot look up job ${jobName(ref)}: no answer`);
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

const hasFailed = ({ state }: Job): boolean => state === 'failed' || state === 'timed_out';

function stateOf({ state, soft_failed }: Job): PageHead['state'] {
  if (typeof state !== 'string') return undefined;
  const colour = stateColor(state, { soft_failed });
  return { text: stateLabel(state, { soft_failed }), tone: tones[colour] ?? 'busy' };
}

const tones: Readonly<Partial<Record<string, 'good' | 'bad'>>> = { green: 'good', red: 'bad' };

function tookTime(job: Job, { clock }: Context): string[] {
  const seconds = durationOf(job, clock.now());
  return seconds === null ? [] : [duration(seconds * 1000)];
}

const ended = ({ exit_status: status }: Job): string[] =>
  typeof status === 'number' ? [`exit status ${status}`] : [];

function began({ started_at: start }: Job): string[] {
  const time = instant(start ?? '');
  if (time === undefined) return [];
  return [
    new Date(time)
      .toISOString()
      .replace('T', ' ')
      .replace(/\.\d+Z$/, ' UTC'),
  ];
}
