import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { jobTitle } from './job-title.ts';
import type { Event } from './changes.ts';

/**
 * One event in its JSON form (interface, "Output"): `at` in UTC, then `event`, `build`, `job`
 * and `exit_code`, without the members that do not apply.
 *
 * @param at milliseconds since the epoch
 */
export const eventJson = (event: Event, at: number): object => ({
  at: new Date(at).toISOString(),
  event: event.event,
  ...(event.build && { build: buildPart(event.build) }),
  ...(event.event === 'job' && { job: jobPart(event.job) }),
  ...(event.event === 'end' && { exit_code: event.exitCode }),
});

const buildPart = ({ number, state, blocked, web_url }: Build) => ({
  number,
  state,
  blocked,
  web_url,
});

const jobPart = ({ waiting_for_agents: tags, ...job }: Job) => ({
  id: job.id,
  name: jobTitle(job),
  state: job.state,
  exit_status: job.exit_status,
  soft_failed: job.soft_failed,
  ...(tags && tags.length > 0 && { waiting_for_agents: tags }),
});
