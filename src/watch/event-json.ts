import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { jobTitle } from './title.ts';
import type { Event } from './tracker.ts';

/**
 * One event as one line of JSON (interface, "Output"): `at` in UTC, then `event`, `build`, `job`
 * and `exit_code`, without the members that do not apply.
 *
 * @param at milliseconds since the epoch
 */
export const eventJson = (event: Event, at: number): string =>
  JSON.stringify({
    at: new Date(at).toISOString(),
    event: event.event,
    build: event.build && buildPart(event.build),
    job: event.event === 'job' ? jobPart(event.job) : undefined,
    exit_code: event.event === 'end' ? event.exitCode : undefined,
  });

const buildPart = ({ number, state, blocked, web_url }: Build) => ({
  number,
  state,
  blocked,
  web_url,
});

const jobPart = (job: Job) => ({
  id: job.id,
  name: jobTitle(job),
  state: job.state,
  exit_status: job.exit_status,
  soft_failed: job.soft_failed,
});
