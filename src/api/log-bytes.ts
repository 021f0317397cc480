import { Readable } from 'node:stream';
import type { Jobs } from './jobs.ts';
import type { JobRef } from './refs.ts';
import { contentRange } from '../http/headers.ts';
import type { Response } from '../http/transport.ts';
import { CictlError } from '../errors.ts';

export type Bytes = AsyncIterable<Uint8Array>;

export type LogTexts = Pick<Jobs, 'logText'>;

export const wholeLog = async (jobs: LogTexts, ref: JobRef): Promise<Bytes> =>
  (await jobs.logText(ref)).body;

const suffixes = [256 * 1024, 4 * 1024 * 1024, 32 * 1024 * 1024];

/** Number of extra lines to read, because a line may overwrite earlier lines. */
const margin = 200;

/** Reads at least the last `lines`, using ranges if possible. The first line may be incomplete. */
export async function endOfLog(jobs: LogTexts, ref: JobRef, lines: number): Promise<Response> {
  for (const size of suffixes) {
    const response = await jobs.logText(ref, { range: `bytes=-${size}` });
    if (response.status === 416) break;
    // Without `Content-Range`, the response is the whole log.
    if (response.status !== 206 || (contentRange(response.headers)?.first ?? 0) === 0)
      return response;
    const chunks = await collect(response.body);
    if (countLines(chunks) > lines + margin) return { ...response, body: Readable.from(chunks) };
  }
  return jobs.logText(ref);
}

async function collect(bytes: Bytes): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return chunks;
}

function countLines(chunks: readonly Uint8Array[]): number {
  let count = 0;
  for (const chunk of chunks) {
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) count += 1;
  }
  return count;
}

export interface GrowingLogOptions {
  readonly read: (range: string | undefined) => Promise<Response>;
  readonly first?: (() => Promise<Response>) | undefined;
  /** Called with the old and new size in bytes if the log has become shorter and is read again. */
  readonly onShrunk?: ((before: number, now: number) => void) | undefined;
}

export type GrowingLog = ReturnType<typeof growingLog>;

/**
 * Polls a log. If the service supports ranges, requests only the end, whose position is in
 * `Content-Range`. Otherwise, reads the whole log and skips the part that was read before.
 */
export function growingLog({ read, first, onShrunk }: GrowingLogOptions) {
  let offset: number | undefined;
  let suffix = shortest;
  return { readNew };

  /** Yields the bytes added since the last call. After a failure, the next call yields the rest. */
  async function* readNew(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let attempts = 0; attempts < maxAttempts; attempts++) {
      const response = await request(attempts).catch(noLogYet);
      if (response === undefined) {
        shrinkTo(0);
        return;
      }
      const { start, size } = extentOf(response, offset ?? 0);
      offset ??= start;
      if (start <= offset && size !== offset) {
        const end = yield* behind(response.body, start);
        if (end >= offset) return;
        shrinkTo(end);
        continue;
      }
      await drain(response.body);
      if (size === offset) return;
      if (size !== undefined && size < offset) shrinkTo(size);
      else suffix = (size ?? offset) - offset + shortest;
    }
  }

  /** Requests the end of the log, or the whole log if that is necessary. */
  function request(attempts: number): Promise<Response> {
    if (offset === undefined && first !== undefined) return first();
    const isWhole = offset === undefined || offset === 0 || attempts === maxAttempts - 1;
    return read(isWhole ? undefined : `bytes=-${suffix}`);
  }

  async function* behind(
    body: Response['body'],
    start: number,
  ): AsyncGenerator<Uint8Array, number, undefined> {
    const before = offset ?? 0;
    let end = start;
    for await (const chunk of body) {
      const known = Math.min(chunk.length, Math.max(0, (offset ?? 0) - end));
      end += chunk.length;
      if (known === chunk.length) continue;
      offset = end;
      yield chunk.subarray(known);
    }
    suffix = Math.min(longest, Math.max(shortest, 2 * (end - before)));
    return end;
  }

  function shrinkTo(size: number): void {
    if (offset !== undefined && offset > size) onShrunk?.(offset, size);
    if (offset !== undefined) offset = 0;
  }
}

/** Minimum and maximum number of bytes requested while the size of the new part is unknown. */
const shortest = 4 * 1024;
const longest = 1024 * 1024;

/** The last attempt requests the whole log. */
const maxAttempts = 4;

function extentOf(
  { status, headers }: Response,
  offset: number,
): { start: number; size: number | undefined } {
  const { first, size } = contentRange(headers) ?? {};
  // The requested range is empty. If the response has no size, the log has not changed.
  if (status === 416) return { start: Infinity, size: size ?? offset };
  if (status !== 206) return { start: 0, size: undefined };
  return { start: first ?? Infinity, size };
}

async function drain(body: Response['body']): Promise<void> {
  const chunks = body[Symbol.asyncIterator]();
  while ((await chunks.next()).done !== true);
}

function noLogYet(error: unknown): undefined {
  if (error instanceof CictlError && error.kind === 'not_found') return undefined;
  throw error;
}
