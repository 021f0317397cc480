import { promisify } from 'node:util';

/** Collects text that is printed only when complete. Until then, long text is compressed. */
export interface Spool {
  /** Number of characters that were added. */
  readonly length: number;
  add(text: string): Promise<void>;
  /** Passes on all text in order. Must be called only once. */
  drain(write: (chunk: string | Uint8Array) => Promise<void>): Promise<void>;
}

/** In characters. */
const chunkLength = 500_000;

export function createSpool(): Spool {
  const packed: Promise<Uint8Array>[] = [];
  let [length, open] = [0, ''];
  return {
    get length() {
      return length;
    },
    async add(text) {
      length += text.length;
      open += text;
      if (open.length < chunkLength) return;
      // Compresses one chunk at a time, so that few uncompressed chunks are in memory.
      await packed.at(-1);
      packed.push(pack(open));
      open = '';
    },
    async drain(write) {
      for (const chunk of packed.splice(0)) {
        await write(await unpack(await chunk));
      }
      if (open !== '') await write(open);
    },
  };
}

export async function textOf(spool: Spool): Promise<string> {
  const chunks: string[] = [];
  await spool.drain((chunk) => {
    chunks.push(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk));
    return Promise.resolve();
  });
  return chunks.join('');
}

/** Favors speed, because compressing to a tenth of the size is enough. */
async function pack(text: string): Promise<Uint8Array> {
  const { deflateRaw } = await import('node:zlib');
  return promisify<string, { level: number }, Buffer>(deflateRaw)(text, { level: 1 });
}

/** Returns UTF-8. */
async function unpack(packed: Uint8Array): Promise<Uint8Array> {
  const { inflateRaw } = await import('node:zlib');
  return promisify<Uint8Array, Buffer>(inflateRaw)(packed);
}
