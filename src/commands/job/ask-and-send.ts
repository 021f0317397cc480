/** Asks for the fields of a block step that `job unblock` was not given. */
import type { JobRef } from '../../api/refs.ts';
import type { Job } from '../../api/resources/job.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { describedFields, type DescribedField } from '../described-fields.ts';
import { askFields } from '../run/ask-fields.ts';
import { missingFields } from './block-fields.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** All of them where none has a value; else those alone without which the service refuses. */
export function fieldsToAsk(
  job: Job,
  given: Fields | undefined,
  { prompts, settings }: Context,
): DescribedField[] {
  if (!prompts.available || job.state !== 'blocked') return [];
  if (given !== undefined || settings.yes) return missingFields(job, given ?? {});
  return describedFields(job) ?? [];
}

export interface Asking {
  readonly ref: JobRef;
  readonly job: Job;
  readonly given: Fields | undefined;
  readonly asked: DescribedField[];
  readonly send: (fields: Fields | undefined) => Promise<void>;
}

/** Asks with the step's own words, and again for what the service does not take. */
export async function askAndSend(asking: Asking, context: Context): Promise<void> {
  const { job, given, asked, send } = asking;
  if (job.prompt) context.messages.note(job.prompt);
  for (;;) {
    const fields = { ...given, ...(await askFields(job, context, asked)) };
    try {
      await send(Object.keys(fields).length > 0 ? fields : undefined);
      return;
    } catch (error) {
      const isRefused = error instanceof CictlError && error.status === 422;
      if (!isRefused || !(await isStillBlocked(asking, context))) throw error;
      context.messages.warn([error.message, ...error.details].join('; '));
    }
  }
}

/** Somebody else may have been faster: then other values help nobody. */
async function isStillBlocked({ ref }: Asking, context: Context): Promise<boolean> {
  const { builds } = await context.client();
  const { jobs } = await builds.get(ref);
  return (jobs ?? []).some(({ id, state }) => id === ref.job && state === 'blocked');
}
