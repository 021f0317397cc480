import type { Response } from '../http/transport.ts';

/** A body, and once it is read, whether none like it came before. */
export interface Digested {
  readonly body: Response['body'];
  readonly isNew: () => boolean;
}

/** Knows bodies again that were read before, by their hashes: nothing of them is kept. */
export async function createDigests(): Promise<(body: Response['body']) => Digested> {
  const { createHash } = await import('node:crypto');
  const seen = new Set<string>();
  return (body) => {
    const hash = createHash('sha256');
    return {
      body: through(body, (chunk) => hash.update(chunk)),
      isNew() {
        const before = seen.size;
        return seen.add(hash.digest('base64')).size > before;
      },
    };
  };
}

async function* through(
  body: Response['body'],
  see: (chunk: Uint8Array) => unknown,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    see(chunk);
    yield chunk;
  }
}
