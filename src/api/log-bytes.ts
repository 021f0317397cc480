import { Readable } from 'node:stream';
import type { Jobs } from './jobs.ts';
import type { JobRef } from './refs.ts';
import { contentRange } from '../http/content-range.ts';
import type { Response } from '../http/transport.ts';

/** The bytes of a log. */
export type Bytes = AsyncIterable<Uint8Array>;

/** Where the texts of logs come from. */
export type LogTexts = Pick<Jobs, 'logText'>;

/** The whole log. */
export const wholeLog = async (jobs: LogTexts, ref: JobRef): Promise<Bytes> =>
  (await jobs.logText(ref)).body;

/** Suffixes that are tried one after the other, before the whole log is read. */
const suffixes = [256 * 1024, 4 * 1024 * 1024, 32 * 1024 * 1024];

/** So many more than requested, because lines may overwrite one another. */
const margin = 200;

/**
 * The end of a log with its last `lines` and some more, without reading all of it where the service
 * gives ranges. The first line of what comes may be torn.
 */
export async function endOfLog(jobs: LogTexts, ref: JobRef, lines: number): Promise<Response> {
  for (const size of suffixes) {
    const response = await jobs.logText(ref, { range: `bytes=-${size}` });
    if (response.status === 416) break;
    // Without `Content-Range` the response is the whole log.
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
