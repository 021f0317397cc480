/**
 * Repeats a call on eight connections for some seconds; prints the number of calls and the rate.
 */
import { text } from 'node:stream/consumers';
import { requester } from './requester.js';

const { access, call, seconds } = JSON.parse(await text(process.stdin));
const connections = Array.from({ length: 8 }, () => requester(access));
let done = 0;

/** Runs for this long; the first second is a warm-up. */
async function during(length) {
  const end = performance.now() + length * 1000;
  const work = async (send) => {
    while (performance.now() < end) {
      await send(call);
      done++;
    }
  };
  await Promise.all(connections.map(work));
}

await during(1);
const [warm, from] = [done, performance.now()];
await during(seconds);
const rate = ((done - warm) * 1000) / (performance.now() - from);
process.stdout.write(JSON.stringify({ calls: done, rate }));
process.exit();
