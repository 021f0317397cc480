import { expect, test } from 'vitest';
import { readStart } from './read-body.ts';

test('an explanation that drips in without end is read for a while', async () => {
  let [now, pieces] = [0, 0];
  // eslint-disable-next-line @typescript-eslint/require-await -- a body is asynchronous by contract
  async function* drip() {
    for (; pieces < 1000; pieces++, now += 500) yield new TextEncoder().encode('x');
  }
  const text = await readStart({ status: 422, headers: {}, body: drip() }, () => now);
  expect(text).toMatch(/^x+$/);
  expect(now).toBeLessThanOrEqual(10_500);
});
