import type { Keep } from '../log/sequences.ts';
import { settle } from '../log/settle.ts';
import { chain, pump } from '../log/stage.ts';
import { standalone } from '../log/standalone.ts';

/**
 * The text of a log that grows: whole lines, as soon as they are there. Unlike a log that is read
 * to its end, no line waits for a cursor that may still go up to it. What is printed between two
 * lines takes no colour from them.
 */
export async function* settledLines(
  log: AsyncIterable<Uint8Array>,
  keep: Keep,
): AsyncGenerator<string> {
  const alone = keep.colours === true ? [standalone()] : [];
  for await (const lines of pump(log, chain(settle(keep, 1), ...alone))) yield lines.toString();
}
