import { expect, test } from 'vitest';
import { CictlError } from '../errors.ts';
import { createOutageReporter } from './outage.ts';

const error = new CictlError('unreachable', 'no route');

/** What is noted and what is only debugged, at these times in ms with these pauses. */
async function outage(errors: readonly (readonly [at: number, pause: number])[]) {
  let now = 0;
  const lines: string[] = [];
  const reporter = createOutageReporter(
    { note: (line) => Promise.resolve(void lines.push(line)) },
    {
      clock: { now: () => now, sleep: () => Promise.resolve() },
      messages: { debug: (line) => void lines.push(`(${line})`) },
    },
  );
  for (const [at, pause] of errors) {
    now = at;
    await reporter.onError(error, pause);
  }
  return { lines, look: reporter.watched(() => Promise.resolve('seen')) };
}
const again = (seconds: string): string => `no route; looking again in ${seconds} s`;

test('it is told at once, and again after a minute', async () => {
  const times = [5000, 20_000, 64_999, 65_000, 124_999];
  const { lines } = await outage(times.map((at) => [at, 1500]));
  const [line, quiet] = [again('1.5'), `(${again('1.5')})`];
  expect(lines).toEqual([line, quiet, quiet, line, quiet]);
});

test('a pause of a minute is told each time', async () => {
  const { lines } = await outage([0, 1, 2].map((at) => [at, at === 1 ? 60_000 : 59_999]));
  expect(lines).toEqual([again('60.0'), again('60.0'), `(${again('60.0')})`]);
});

test('its end is told once; the next one is new', async () => {
  const { lines, look } = await outage([[0, 1000]]);
  expect([await look(), await look()]).toEqual(['seen', 'seen']);
  expect(lines).toEqual([again('1.0'), 'the service answers again']);
});

test('without one nothing is told', async () => {
  const { lines, look } = await outage([]);
  await look();
  expect(lines).toEqual([]);
});
