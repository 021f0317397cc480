import type { Context } from '../context.ts';

type PromptContext = Pick<Context, 'prompts' | 'settings'>;

/** Prompts before a change that cannot be undone, except under `--dry-run`. */
export async function confirm(
  { prompts, settings }: PromptContext,
  question: string,
): Promise<void> {
  if (!settings.dryRun) await prompts.confirm(question, '--yes');
}

/** Whether the user will see the prompt. If not, no details need to be requested for it. */
export const isAsked = ({ prompts, settings }: PromptContext): boolean =>
  prompts.available && !settings.yes && !settings.dryRun;
