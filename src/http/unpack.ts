import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { AnswerError } from './body.ts';
import type { Response } from './transport.ts';

const mebibyte = 1024 * 1024;
const chunkSize = 64 * 1024;

/** What may come out in all: no log is larger. */
const mostBytes = 1024 * mebibyte;

/** How many times its size may come out, once more than this many bytes have. */
const mostTimes = 1000;
const harmless = 64 * mebibyte;

/** The bytes of a compressed body as they come. Throws `AnswerError`, or what the body throws. */
export async function* unpack(
  body: Response['body'],
  encoding: 'gzip' | 'br',
): AsyncGenerator<Uint8Array> {
  let received = 0;
  let fault: { readonly error: unknown } | undefined;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of body) {
        received += chunk.length;
        yield chunk;
      }
    } catch (error) {
      fault = { error };
      throw error;
    }
  }
  const engine =
    encoding === 'br' ? createBrotliDecompress({ chunkSize }) : createGunzip({ chunkSize });
  // Whoever stops reading ends the engine, which ends the source.
  pipeline(Readable.from(source(), { objectMode: false }), engine, () => undefined);
  let size = 0;
  try {
    for await (const chunk of engine as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      check(size, engine.bytesWritten);
      yield chunk;
    }
  } catch (error) {
    if (fault !== undefined) throw fault.error;
    // An answer to HEAD, or one without a body, names an encoding too.
    if (received === 0) return;
    throw error instanceof AnswerError
      ? error
      : new AnswerError(`the answer is broken ${encoding}`);
  }
}

function check(size: number, packed: number): void {
  if (size > mostBytes) throw new AnswerError('the answer unpacks to more than 1 GiB');
  if (size > harmless && size > mostTimes * packed) {
    throw new AnswerError(`the answer unpacks to more than ${mostTimes} times its size`);
  }
}
