import { assertResource } from '../../api/resources/check.ts';
import { job as resource } from '../../api/resources/job.ts';
import type { Context } from '../../context.ts';
import type { FoundJob } from '../../refs/find-job.ts';
import { jobHeading, nextOfJob } from '../../triage/heading.ts';
import { buildWithEmojis } from '../../triage/shown-emojis.ts';
import { commandScope } from '../../watch/command-scope.ts';

/** Prints the outcome of a job, its fields, and a suggested command. */
export async function viewJobScreen(
  { ref, job, build }: FoundJob,
  { out, clock, settings }: Context,
): Promise<void> {
  assertResource(resource, job);
  const { jobs } = await buildWithEmojis({ jobs: [job] });
  const options = { colors: out.color, width: out.width, now: clock.now() };
  await out.write(jobHeading(jobs?.[0] ?? job, ref, options));
  await out.one(resource, job);
  const next = nextOfJob(job, ref, build, commandScope(settings));
  if (next !== undefined) await out.write(`next: ${next}\n`);
}
