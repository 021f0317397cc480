import type { Job } from '../api/resources/job.ts';
import type { Context } from '../context.ts';

/** Prints the tags that waiting jobs need but no agent has, because TSV has no column for them. */
export async function noteAgentWaits(
  jobs: readonly Job[] | null | undefined,
  { out, settings, messages }: Context,
): Promise<void> {
  if (out.format !== 'tsv' || settings.fields !== undefined) return;
  // The jobs have not been validated.
  if (!Array.isArray(jobs) || !jobs.some(isWaiting)) return;
  const { agentWaitsOf } = await import('../triage/job-words.ts');
  for (const line of agentWaitsOf(jobs.filter(isWaiting))) messages.note(line);
}

const isWaiting = ({ waiting_for_agents: tags }: Job): boolean =>
  Array.isArray(tags) && tags.length > 0;
