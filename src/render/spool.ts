/** Text that is printed only when it is complete. Long text waits compressed. */
export interface Spool {
  /** Characters that were added. */
  readonly length: number;
  add(text: string): Promise<void>;
  /** Passes on everything in order. Call it once. */
  drain(write: (chunk: string | Uint8Array) => Promise<void>): Promise<void>;
}

/** Characters. */
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
      const { pack } = await import('./pack.ts');
      // One at a time: more would wait uncompressed.
      await packed.at(-1);
      packed.push(pack(open));
      open = '';
    },
    async drain(write) {
      for (const chunk of packed.splice(0)) {
        const { unpack } = await import('./pack.ts');
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
