import type { Keep } from '../log/sequences.ts';
import { settle } from '../log/settle.ts';
import { pump } from '../log/stage.ts';

/**
 * The text of a log that grows: whole lines, as soon as they are there. Unlike a log that is read
 * to its end, no line waits for a cursor that may still go up to it.
 */
export async function* settledLines(
  log: AsyncIterable<Uint8Array>,
  keep: Keep,
): AsyncGenerator<string> {
  for await (const lines of pump(log, settle(keep, 1))) yield lines.toString();
}
