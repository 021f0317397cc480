import type { Stage } from '../../src/log/stage.ts';

/** What a stage makes of a log that comes in these pieces, as bytes in a string. */
export function feed(stage: Stage<Uint8Array>, ...pieces: readonly string[]): string {
  let out = '';
  for (const piece of pieces) out += stage.push(Buffer.from(piece, 'latin1'));
  return out + stage.end();
}

/** The same log in two pieces, parted at every byte, and in pieces of one byte. */
export function* everySplit(log: string): Generator<string[]> {
  for (let at = 1; at < log.length; at++) yield [log.slice(0, at), log.slice(at)];
  yield Array.from(log);
}
