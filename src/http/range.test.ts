import { expect, test } from 'vitest';
import { checkRange } from './range.ts';
import type { Response } from './transport.ts';

const part = (
  range: string | undefined,
  sizes: readonly number[] = [],
  status = 206,
): Response => ({
  status,
  headers: range === undefined ? {} : { 'content-range': range },
  body: (async function* () {
    for (const size of sizes) yield await Promise.resolve(new Uint8Array(size));
  })(),
});

test.each<[string, string, boolean]>([
  ['bytes=0-9', 'bytes 0-9/100', true],
  ['bytes=0-9', 'bytes 0-9/*', true],
  ['bytes=0-9', 'bytes 0-8/9', true],
  ['bytes=0-9', 'bytes 0-8/100', false],
  ['bytes=0-9', 'bytes 0-10/100', false],
  ['bytes=0-9', 'bytes 1-9/100', false],
  ['bytes=0-0', 'bytes 0-0/1', true],
  ['bytes=5-', 'bytes 5-99/100', true],
  ['bytes=5-', 'bytes 5-7/*', true],
  ['bytes=5-', 'bytes 5-98/100', false],
  ['bytes=5-', 'bytes 4-99/100', false],
  ['bytes=-10', 'bytes 90-99/100', true],
  ['bytes=-10', 'bytes 95-99/100', true],
  ['bytes=-10', 'bytes 89-99/100', false],
  ['bytes=-10', 'bytes 88-98/100', false],
  ['bytes=-10', 'bytes 88-97/*', true],
  ['bytes=-10', 'bytes 0-10/*', false],
  [' Bytes = 12 - 13 ', ' bytes  12-13/20 ', true],
  ['bytes=0-9', 'bytes 9-0/100', false],
  ['bytes=5-9', 'bytes 5-9/9', false],
  ['bytes=0-9', 'bytes 0-9/100 x', false],
  ['bytes=0-9', 'x bytes 0-9/100', false],
  ['bytes=0-9', 'lines 0-9/100', false],
])('of %j, %j fits: %s', (asked, said, fits) => {
  const check = () => checkRange(part(said), asked);
  if (fits) expect(check().status).toBe(206);
  else expect(check).toThrow(`another part (206, "${said}") than "${asked}"`);
});

test('a part without Content-Range is refused; one that is too long is cut in the message', () => {
  expect(() => checkRange(part(undefined), 'bytes=0-9')).toThrow('(206, without Content-Range)');
  expect(() => checkRange(part('x'.repeat(61)), 'bytes=0-9')).toThrow(`"${'x'.repeat(60)}"`);
});

test('a part that nobody asked for is refused; what is no part stays', () => {
  expect(() => checkRange(part('bytes 0-9/10'), undefined)).toThrow('nobody asked for');
  const whole = part(undefined, [], 200);
  expect(checkRange(whole, 'bytes=0-9')).toBe(whole);
  expect(checkRange(whole, undefined)).toBe(whole);
});

test.each(['bytes=0-1,4-5', 'lines=0-9', 'bytes=0-9x', 'xbytes=0-9'])(
  '%s is left to who asks',
  (asked) => {
    const given = part('bytes 3-4/9');
    expect(checkRange(given, asked)).toBe(given);
  },
);

test.each<[readonly number[], readonly number[], boolean]>([
  [[10], [10], true],
  [[4, 6], [4, 6], true],
  [[4, 5], [4, 5], false],
  [[4, 7], [4], false],
  [[10, 1], [10], false],
])('a body of %j is given as %j, and is whole: %s', async (sizes, given, isWhole) => {
  const { body } = checkRange(part('bytes 0-9/100', sizes), 'bytes=0-9');
  const seen: number[] = [];
  const reading = (async () => {
    for await (const chunk of body) seen.push(chunk.length);
  })();
  if (isWhole) await reading;
  else await expect(reading).rejects.toThrow('has not the length');
  expect(seen).toEqual(given);
});
