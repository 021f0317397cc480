/** What reports read of a build beside itself. */
import type { Client } from '../../api/client.ts';
import type { BuildRef } from '../../api/refs.ts';
import { annotation as resource, type Annotation } from '../../api/resources/annotation.ts';
import { assertResource } from '../../api/resources/check.ts';
import type { Job } from '../../api/resources/job.ts';
import { contentRange } from '../../http/headers.ts';
import { checkSlug } from '../../parse/checks.ts';
import { readTail, type Tail } from '../../triage/tail.ts';
import type { Context } from '../../context.ts';
import { CictlError, isServiceError } from '../../errors.ts';
import type { ReadResult } from '../../triage/report.ts';

/** The annotations of a build as their pages arrive, each checked: code 9 for what is none. */
export async function* eachAnnotation(
  ref: BuildRef,
  { annotations }: Pick<Client, 'annotations'>,
): AsyncGenerator<Annotation, void, undefined> {
  for await (const annotation of annotations.list(ref)) {
    assertResource(resource, annotation);
    yield annotation;
  }
}

/** The end of a log. */
interface LogEnd extends Tail {
  /** Bytes of the whole, where they are known. */
  readonly size: number | undefined;
}

/** The last `most` bytes of a log, by one request; of a service that sends all of it they alone are remembered. */
export async function readLogEnd(
  { job, ...ref }: BuildRef & { readonly job: Job },
  most: number,
  { jobs }: Pick<Client, 'jobs'>,
): Promise<LogEnd> {
  const id = checkSlug('job', job.id ?? '');
  const response = await jobs.logText({ ...ref, job: id }, { range: `bytes=-${most}` });
  const tail = await readTail(response, most);
  const size = tail.isCut ? contentRange(response.headers)?.size : tail.bytes.length;
  return { ...tail, size };
}

// Parts of a report that may be missing: a log or annotations that cannot be read.

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
