import type { Client } from '../../api/client.ts';
import type { BuildRef } from '../../api/refs.ts';
import type { Build } from '../../api/resources/build.ts';
import type { Job } from '../../api/resources/job.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { emojisFor } from '../../render/shortcodes.ts';
import { cleanLine } from '../../untrusted-text.ts';
import { jobTitle } from '../../watch/job-title.ts';
import { askFields } from './ask-fields.ts';

/**
 * Asks on a terminal about each job that waits for a person, once, and unblocks the first that is
 * agreed to. Resolves to whether there was one: the build goes on then. Adds to `declined`.
 */
export async function askToUnblock(
  client: Client,
  ref: BuildRef,
  build: Build,
  context: Context,
  declined: Set<string>,
): Promise<boolean> {
  for (const job of unanswered(build, declined)) {
    declined.add(job.id ?? '');
    const title = cleanLine(jobTitle(job));
    const withEmojis = await emojisFor([title, job.prompt ?? '']);
    if (job.prompt) context.messages.note(withEmojis(job.prompt));
    const question = `"${withEmojis(title)}" waits for a person. Unblock it? [y/N] `;
    if (!/^y(es)?$/i.test((await context.prompts.text(question)).trim())) continue;
    declined.delete(job.id ?? '');
    await unblock(client, { ...ref, job: job.id ?? '' }, job, context);
    return true;
  }
  return false;
}

/** The jobs that wait for a person who has not been asked about them. */
export const unanswered = ({ jobs }: Build, declined: ReadonlySet<string>): Job[] =>
  (jobs ?? []).filter(({ id, state }) => state === 'blocked' && !declined.has(id ?? ''));

/** Only on a terminal that is written for people. */
export const mayAsk = ({ prompts, out }: Context): boolean =>
  prompts.available && out.format === 'table';

/** Asks again for what the service does not take. */
async function unblock(
  { jobs }: Client,
  ref: BuildRef & { readonly job: string },
  job: Job,
  context: Context,
): Promise<void> {
  for (;;) {
    const fields = await askFields(job, context);
    try {
      await jobs.unblock(ref, { fields });
      return;
    } catch (error) {
      if (!(error instanceof CictlError) || error.kind !== 'refused') throw error;
      context.messages.warn([error.message, ...error.details].join('; '));
      if (Object.keys(fields).length === 0) return;
    }
  }
}
