/** Parts of a report that may be missing: a log or annotations that cannot be read. */
import type { Job } from '../../api/resources/job.ts';
import type { Context } from '../../context.ts';
import { CictlError, isServiceError } from '../../errors.ts';
import type { ReadResult } from '../../triage/report.ts';

/** What was read, or in its place why it could not be; what ends the whole call is thrown. */
export async function attempt<T>(
  read: () => Promise<T>,
  { secrets }: Pick<Context, 'secrets'>,
): Promise<ReadResult<T>> {
  try {
    return { value: await read() };
  } catch (error) {
    if (!(error instanceof CictlError) || !isLocalised(error)) throw error;
    // It is printed among the data, where no message is looked through for secrets.
    return { error: secrets.redact(error.message) };
  }
}

/** What ends the whole call does not belong to one log: an interrupt, a bug. */
const isLocalised = (error: CictlError): boolean =>
  ['auth', 'not_found', 'refused', 'usage'].includes(error.kind) || isServiceError(error);

/** Only what an agent has run has one. */
export const mayHaveLog = ({ type, state, started_at: started }: Job): boolean =>
  (type ?? 'script') === 'script' &&
  state !== 'expired' &&
  !(state === 'canceled' && started === null);
