import type { Job } from '../api/resources/job.ts';
import type { Context } from '../context.ts';

/** Says for which tags jobs wait in vain, behind a line of a pipe: it has no column for that. */
export async function noteAgentWaits(
  jobs: readonly Job[] | null | undefined,
  { out, settings, messages }: Context,
): Promise<void> {
  if (out.format !== 'tsv' || settings.fields !== undefined) return;
  // What was printed as it came may be anything.
  if (!Array.isArray(jobs) || !jobs.some(isWaiting)) return;
  const { agentWaitsOf } = await import('../triage/job-words.ts');
  for (const line of agentWaitsOf(jobs.filter(isWaiting))) messages.note(line);
}

const isWaiting = ({ waiting_for_agents: tags }: Job): boolean =>
  Array.isArray(tags) && tags.length > 0;
