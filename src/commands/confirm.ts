import type { Context } from '../context.ts';

type Asking = Pick<Context, 'prompts' | 'settings'>;

/** Asks before a change that cannot be undone; `--dry-run` changes nothing, so it does not ask. */
export async function confirm({ prompts, settings }: Asking, question: string): Promise<void> {
  if (!settings.dryRun) await prompts.confirm(question, '--yes');
}

/** Whether a person will read the question: only then it is worth a request to say more in it. */
export const isAsked = ({ prompts, settings }: Asking): boolean =>
  prompts.available && !settings.yes && !settings.dryRun;
