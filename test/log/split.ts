import type { Stage } from '../../src/log/stage.ts';

/** The output of a stage for a log that comes in these chunks, as a byte string. */
export function feed(stage: Stage<Uint8Array>, ...pieces: readonly string[]): string {
  let out = '';
  for (const piece of pieces) out += stage.push(Buffer.from(piece, 'latin1'));
  return out + stage.end();
}

/** The log split in two at every byte, and in chunks of one byte. */
export function* everySplit(log: string): Generator<string[]> {
  for (let at = 1; at < log.length; at++) yield [log.slice(0, at), log.slice(at)];
  yield Array.from(log);
}
