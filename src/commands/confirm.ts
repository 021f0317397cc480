import type { Context } from '../context.ts';

/** Asks before a change that cannot be undone; `--dry-run` changes nothing, so it does not ask. */
export async function confirm({ prompts, settings }: Context, question: string): Promise<void> {
  if (!settings.dryRun) await prompts.confirm(question, '--yes');
}
