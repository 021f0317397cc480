/**
 * Creates finished builds, as a service lists them, from a short notation: `build(3, 'test:failed
 * test:passed')`.
 */
import type { Build } from '../../src/api/resources/build.ts';
import type { Job } from '../../src/api/resources/job.ts';

const start = Date.parse('2026-01-01T00:00:00.000Z');

/** Seconds since the first build was created. */
export const timeAt = (seconds: number): string => new Date(start + seconds * 1000).toISOString();

/**
 * Build N is created N hours after the first. Its jobs run one after another. Each job is written
 * as `KEY:STATE` or `KEY:STATE:SECONDS`; it waits one second and runs for ten or for the given
 * number of seconds. A job with the same key as the previous one is a retry of it.
 */
export function finishedBuild(number: number, words: string, members: Partial<Build> = {}): Build {
  const from = number * 3600;
  const jobs: Job[] = [];
  let at = from;
  for (const word of words.split(' ').filter((text) => text !== '')) {
    const [key = '', state = '', seconds = '10'] = word.split(':');
    const job = jobOf(`${number}-${jobs.length}`, { key, state, at, seconds: Number(seconds) });
    const before = jobs.at(-1);
    if (before?.step_key === key)
      Object.assign(before, { retried: true, retried_in_job_id: job.id });
    jobs.push(job);
    at += 1 + Number(seconds);
  }
  return {
    ...{
      id: `b-${number}`,
      number,
      jobs,
      branch: 'main',
      commit: number.toString(16).padStart(40, '0'),
    },
    state: jobs.some(({ state, retried }) => state === 'failed' && retried !== true)
      ? 'failed'
      : 'passed',
    web_url: `http://ci.test/acme/web/builds/${number}`,
    ...{ created_at: timeAt(from), started_at: timeAt(from + 1), finished_at: timeAt(at) },
    pipeline: { slug: 'web', default_branch: 'main' },
    ...members,
  };
}

function jobOf(
  id: string,
  { key, state, at, seconds }: { key: string; state: string; at: number; seconds: number },
): Job {
  return {
    ...{ id, type: 'script', name: `Run ${key}`, step_key: key, state, retried: false },
    ...{ web_url: `http://ci.test/jobs/${id}`, created_at: timeAt(at), runnable_at: timeAt(at) },
    ...{ started_at: timeAt(at + 1), finished_at: timeAt(at + 1 + seconds) },
  };
}
