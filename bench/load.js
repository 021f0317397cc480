/** Repeats a call over eight connections for some seconds; prints how many there were, and in a second. */
import { text } from 'node:stream/consumers';
import { requester } from './requester.js';

const { access, call, seconds } = JSON.parse(await text(process.stdin));
const connections = Array.from({ length: 8 }, () => requester(access));
let done = 0;

/** Until a moment from now; the first second only warms up. */
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
