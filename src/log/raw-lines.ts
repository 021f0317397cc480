import { createLineBuffer } from './line-buffer.ts';
import type { Stage } from './stage.ts';

/** Whole lines, byte for byte as they came. */
export function rawLines(): Stage<Uint8Array> {
  const blocks = createLineBuffer(({ length }) => ({ end: length }));
  return {
    push: (chunk) =>
      blocks
        .push(chunk)
        .map((block) => block.toString('latin1'))
        .join(''),
    end: () => blocks.end().toString('latin1'),
  };
}
