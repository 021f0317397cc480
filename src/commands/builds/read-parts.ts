/** Requests for parts of a build, shared by several reports. */
import type { Client } from '../../api/client.ts';
import type { BuildRef } from '../../api/refs.ts';
import { annotation as resource, type Annotation } from '../../api/resources/annotation.ts';
import { assertResource } from '../../api/resources/check.ts';
import type { Job } from '../../api/resources/job.ts';
import type { Context } from '../../context.ts';
import { CictlError, isServiceError } from '../../errors.ts';
import { contentRange } from '../../http/headers.ts';
import { checkSlug } from '../../parse/checks.ts';
import type { ReadResult } from '../../triage/report.ts';
import { readTail, type Tail } from '../../triage/tail.ts';

/** Maximum number of concurrent requests for one report. */
export const maxRequests = 4;

/** Yields the annotations of a build as their pages arrive. Exit code 9 if one is malformed. */
export async function* eachAnnotation(
  ref: BuildRef,
  { annotations }: Pick<Client, 'annotations'>,
): AsyncGenerator<Annotation, void, undefined> {
  for await (const annotation of annotations.list(ref)) {
    assertResource(resource, annotation);
    yield annotation;
  }
}

/**
 * Reads the last `most` bytes of a log in one request. `size` is the length of the whole log in
 * bytes, if known.
 */
export async function readLogEnd(
  { job, ...ref }: BuildRef & { readonly job: Job },
  most: number,
  { jobs }: Pick<Client, 'jobs'>,
): Promise<Tail & { readonly size: number | undefined }> {
  const id = checkSlug('job', job.id ?? '');
  const response = await jobs.logText({ ...ref, job: id }, { range: `bytes=-${most}` });
  const tail = await readTail(response, most);
  const size = tail.isCut ? contentRange(response.headers)?.size : tail.bytes.length;
  return { ...tail, size };
}

/** Returns an error as a value if it only concerns this part. Throws all other errors. */
export async function attempt<T>(
  read: () => Promise<T>,
  { secrets }: Pick<Context, 'secrets'>,
): Promise<ReadResult<T>> {
  try {
    return { value: await read() };
  } catch (error) {
    if (!(error instanceof CictlError) || !(localKinds.has(error.kind) || isServiceError(error)))
      throw error;
    // Redacted here because the text is printed as data, and only messages are redacted later.
    return { error: secrets.redact(error.message) };
  }
}

const localKinds: ReadonlySet<string> = new Set(['auth', 'not_found', 'refused', 'usage']);

/** Only jobs that an agent has run have a log. */
export const mayHaveLog = ({ type, state, started_at: started }: Job): boolean =>
  (type ?? 'script') === 'script' &&
  state !== 'expired' &&
  !(state === 'canceled' && started === null);
