import { Writable } from 'node:stream';

/** A stream that remembers what was written to it, up to a number of bytes. */
export interface Collector {
  readonly stream: Writable;
  /** What is left of it; a character that is cut in two becomes U+FFFD. */
  text(): string;
  /** Bytes that are not in the text, as far as they came. */
  readonly missing: number;
}

/**
 * `start`: whoever writes more learns that nobody reads on, and may end. `end`: all is taken, and
 * the last bytes are remembered.
 */
export function createCollector(limit: number, part: 'start' | 'end'): Collector {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let missing = 0;
  const take = (chunk: Uint8Array): boolean => {
    const bytes = part === 'start' ? chunk.subarray(0, limit - size) : chunk;
    missing += chunk.length - bytes.length;
    chunks.push(bytes);
    size += bytes.length;
    for (let [first] = chunks; first && size - first.length >= limit; [first] = chunks) {
      missing += first.length;
      size -= first.length;
      chunks.shift();
    }
    return missing === 0 || part === 'end';
  };
  const stream = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      done(take(chunk) ? undefined : Object.assign(new Error('enough'), { code: 'EPIPE' }));
    },
  });
  return {
    stream,
    text: () => Buffer.concat(chunks).toString(),
    get missing() {
      return missing;
    },
  };
}
