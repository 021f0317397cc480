import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { type Response, InvalidResponseError } from './transport.ts';

const mebibyte = 1024 * 1024;
const chunkSize = 64 * 1024;

/** `times` is the maximum expansion ratio. It is only checked above `alwaysAllowed` bytes. */
export const unpackLimits = { max: 1024 * mebibyte, times: 1000, alwaysAllowed: 64 * mebibyte };

export async function* unpack(
  body: Response['body'],
  encoding: 'gzip' | 'br',
  limits = unpackLimits,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  let failure: { readonly error: unknown } | undefined;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of body) {
        received += chunk.length;
        yield chunk;
      }
    } catch (error) {
      failure = { error };
      throw error;
    }
  }
  const engine =
    encoding === 'br' ? createBrotliDecompress({ chunkSize }) : createGunzip({ chunkSize });
  // If the reader stops, the decompressor is destroyed, which also stops the source.
  pipeline(Readable.from(source(), { objectMode: false }), engine, () => undefined);
  let size = 0;
  try {
    for await (const chunk of engine as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      check(size, engine.bytesWritten, limits);
      yield chunk;
    }
  } catch (error) {
    if (failure !== undefined) throw failure.error;
    // A response without a body (to HEAD, say) may still name an encoding.
    if (received === 0) return;
    throw error instanceof InvalidResponseError
      ? error
      : new InvalidResponseError(`the response is corrupt ${encoding} data`);
  }
}

function check(size: number, packed: number, limits: typeof unpackLimits): void {
  const { max, times, alwaysAllowed } = limits;
  if (size > max) {
    throw new InvalidResponseError(
      `the decompressed response is larger than ${max / mebibyte} MiB`,
    );
  }
  if (size > alwaysAllowed && size > times * packed) {
    throw new InvalidResponseError(
      `the response grew to more than ${times} times its size when decompressed`,
    );
  }
}
