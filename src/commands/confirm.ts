import type { Context } from '../context.ts';

type PromptContext = Pick<Context, 'prompts' | 'settings'>;

/** Prompts before a change that cannot be undone; not under `--dry-run`, which changes nothing. */
export async function confirm(
  { prompts, settings }: PromptContext,
  question: string,
): Promise<void> {
  if (!settings.dryRun) await prompts.confirm(question, '--yes');
}

/** Whether the user will see the prompt, so that a request for more details is worthwhile. */
export const isAsked = ({ prompts, settings }: PromptContext): boolean =>
  prompts.available && !settings.yes && !settings.dryRun;
