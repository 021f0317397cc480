/**
 * Text that is printed only once all of it is there. A long one waits compressed, which a thread
 * beside does.
 */
export interface Spool {
  /** Characters that were added. */
  readonly length: number;
  add(text: string): Promise<void>;
  /** Hands everything over in its order, in pieces; to be called once. */
  drain(write: (piece: string | Uint8Array) => Promise<void>): Promise<void>;
}

/** Characters that are compressed at once. */
const pieceLength = 500_000;

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
      if (open.length < pieceLength) return;
      const { pack } = await import('./pack.ts');
      // One at a time: more would only lie in memory.
      await packed.at(-1);
      packed.push(pack(open));
      open = '';
    },
    async drain(write) {
      for (const piece of packed.splice(0)) {
        const { unpack } = await import('./pack.ts');
        await write(await unpack(await piece));
      }
      if (open !== '') await write(open);
    },
  };
}

/** All of it as one text. */
export async function textOf(spool: Spool): Promise<string> {
  const pieces: string[] = [];
  await spool.drain((piece) => {
    pieces.push(typeof piece === 'string' ? piece : new TextDecoder().decode(piece));
    return Promise.resolve();
  });
  return pieces.join('');
}
