import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { CictlError } from '../errors.ts';
import type { Response } from '../http/transport.ts';
import { growingLog } from './growing-log.ts';

const answer = (status: number, body: string, range?: string): Response => ({
  status,
  headers: range === undefined ? {} : { 'content-range': range },
  body: Readable.from((body.match(/[^]{1,1000}/g) ?? []).map((piece) => Buffer.from(piece))),
});

/** The log as it is, whole or its end. */
function ranged(log: string, range: string | undefined): Response {
  const wanted = /^bytes=-(\d+)$/.exec(range ?? '')?.[1];
  if (wanted === undefined) return answer(200, log);
  if (log === '') return answer(416, 'nothing there', 'bytes */0');
  const start = Math.max(0, log.length - Number(wanted));
  return answer(206, log.slice(start), `bytes ${start}-${log.length - 1}/${log.length}`);
}

type Serve = (log: string, range: string | undefined) => Response;

/** What each of the looks at a log finds; null is one that is not there. */
async function looks(logs: readonly (string | null)[], serve: Serve = ranged) {
  let log: string | null = null;
  const ranges: (string | undefined)[] = [];
  const shrunk: [number, number][] = [];
  const { news } = growingLog({
    read: (range) => {
      ranges.push(range);
      if (log === null) return Promise.reject(new CictlError('not_found', 'no log'));
      return Promise.resolve(serve(log, range));
    },
    onShrunk: (before, now) => shrunk.push([before, now]),
  });
  const seen: string[] = [];
  for (log of logs) {
    let text = '';
    for await (const chunk of news()) text += Buffer.from(chunk).toString('latin1');
    seen.push(text);
  }
  return { seen, ranges, shrunk };
}

const long = Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`).join('');
const whole: Serve = (log) => answer(200, log);

test.each([
  ['ranges', ranged],
  ['no ranges', whole],
])('from a service with %s comes each byte once', async (_, serve) => {
  const logs = [null, '', 'a', 'a', 'abc', `abc${long}`, `abc${long}`, `abc${long}${long}!`];
  const { seen, shrunk } = await looks(logs, serve);
  expect(seen).toEqual(['', '', 'a', '', 'bc', long, '', `${long}!`]);
  expect(shrunk).toEqual([]);
});

test('what does not fit into the suffix is asked for with a longer one', async () => {
  const { ranges } = await looks(['abc', `abc${long}`]);
  expect(ranges).toEqual([undefined, 'bytes=-4096', `bytes=-${long.length + 4096}`]);
});

test.each([
  ['ranges', ranged],
  ['no ranges', whole],
])('from a service with %s a log that shrank is told and read anew', async (_, serve) => {
  const { seen, shrunk } = await looks(['abcdef', 'xyz', 'xyz1'], serve);
  expect(seen).toEqual(['abcdef', 'xyz', '1']);
  expect(shrunk).toEqual([[6, 3]]);
});

test.each([
  ['is not there any more', null],
  ['is empty', ''],
])('a log that %s is told once', async (_, gone) => {
  const { seen, shrunk } = await looks(['abc', gone, gone, 'd']);
  expect(seen).toEqual(['abc', '', '', 'd']);
  expect(shrunk).toEqual([[3, 0]]);
});

test('416 without a size means that nothing is new', async () => {
  const { seen } = await looks(['abc', 'abc'], (log, range) =>
    range === undefined ? answer(200, log) : answer(416, 'no such range'),
  );
  expect(seen).toEqual(['abc', '']);
});

test('a part that does not say where it begins is left for all of the log', async () => {
  const { seen } = await looks(['abc', 'abcd'], (log, range) =>
    range === undefined ? answer(200, log) : answer(206, log.slice(-2)),
  );
  expect(seen).toEqual(['abc', 'd']);
});

test('after a fault in the middle it goes on where it stopped', async () => {
  const broken: Response = {
    ...answer(200, ''),
    body: (async function* () {
      yield Buffer.from('ab');
      await Promise.reject(new CictlError('unreachable', 'broken'));
    })(),
  };
  let requests = 0;
  const { news } = growingLog({
    read: (range) => Promise.resolve(requests++ === 0 ? broken : ranged('abcd', range)),
  });
  const seen: string[] = [];
  const look = async (): Promise<void> => {
    for await (const chunk of news()) seen.push(Buffer.from(chunk).toString());
  };
  await expect(look()).rejects.toThrow('broken');
  await look();
  expect(seen).toEqual(['ab', 'cd']);
});

test('the first answer may be the end of the log', async () => {
  const { news } = growingLog({
    read: (range) => Promise.resolve(ranged('abcdef', range)),
    first: () => Promise.resolve(answer(206, 'd', 'bytes 3-3/4')),
  });
  const seen: string[] = [];
  for (const look of [news(), news()])
    for await (const chunk of look) seen.push(Buffer.from(chunk).toString());
  expect(seen).toEqual(['d', 'ef']);
});
