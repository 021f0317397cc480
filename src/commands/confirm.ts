import type { Context } from '../context.ts';

type PromptContext = Pick<Context, 'prompts' | 'settings'>;

/** Prompts before a change that cannot be undone, except under `--dry-run`. */
export async function confirm(
  { prompts, settings }: PromptContext,
  question: string,
): Promise<void> {
  if (!settings.dryRun) await prompts.confirm(question, '--yes');
}

/** Whether the user will see the prompt; only then are more details worth a request. */
export const isAsked = ({ prompts, settings }: PromptContext): boolean =>
  prompts.available && !settings.yes && !settings.dryRun;
