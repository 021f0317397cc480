import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { CictlError } from '../errors.ts';
import type { Response } from '../http/transport.ts';
import { growingLog } from './growing-log.ts';

const response = (status: number, body: string, range?: string): Response => ({
  status,
  headers: range === undefined ? {} : { 'content-range': range },
  body: Readable.from((body.match(/[^]{1,1000}/g) ?? []).map((piece) => Buffer.from(piece))),
});

/** The log as it is, whole or its end. */
function ranged(log: string, range: string | undefined): Response {
  const wanted = /^bytes=-(\d+)$/.exec(range ?? '')?.[1];
  if (wanted === undefined) return response(200, log);
  if (log === '') return response(416, 'nothing there', 'bytes */0');
  const start = Math.max(0, log.length - Number(wanted));
  return response(206, log.slice(start), `bytes ${start}-${log.length - 1}/${log.length}`);
}

type Serve = (log: string, range: string | undefined) => Response;

/** What each request for a log finds; null is one that is not there. */
async function fetchLogs(logs: readonly (string | null)[], serve: Serve = ranged) {
  let log: string | null = null;
  const ranges: (string | undefined)[] = [];
  const shrunk: [number, number][] = [];
  const { readNew } = growingLog({
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
    for await (const chunk of readNew()) text += Buffer.from(chunk).toString('latin1');
    seen.push(text);
  }
  return { seen, ranges, shrunk };
}

const long = Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`).join('');
const whole: Serve = (log) => response(200, log);

test.each([
  ['ranges', ranged],
  ['no ranges', whole],
])('from a service with %s comes each byte once', async (_, serve) => {
  const logs = [null, '', 'a', 'a', 'abc', `abc${long}`, `abc${long}`, `abc${long}${long}!`];
  const { seen, shrunk } = await fetchLogs(logs, serve);
  expect(seen).toEqual(['', '', 'a', '', 'bc', long, '', `${long}!`]);
  expect(shrunk).toEqual([]);
});

test('what does not fit into the suffix is asked for with a longer one', async () => {
  const { ranges } = await fetchLogs(['abc', `abc${long}`]);
  expect(ranges).toEqual([undefined, 'bytes=-4096', `bytes=-${long.length + 4096}`]);
});

test.each([
  ['ranges', ranged],
  ['no ranges', whole],
])('from a service with %s a log that shrank is reported and read anew', async (_, serve) => {
  const { seen, shrunk } = await fetchLogs(['abcdef', 'xyz', 'xyz1'], serve);
  expect(seen).toEqual(['abcdef', 'xyz', '1']);
  expect(shrunk).toEqual([[6, 3]]);
});

test.each([
  ['is not there any more', null],
  ['is empty', ''],
])('a log that %s is reported once', async (_, gone) => {
  const { seen, shrunk } = await fetchLogs(['abc', gone, gone, 'd']);
  expect(seen).toEqual(['abc', '', '', 'd']);
  expect(shrunk).toEqual([[3, 0]]);
});

test('416 without a size means that nothing is new', async () => {
  const { seen } = await fetchLogs(['abc', 'abc'], (log, range) =>
    range === undefined ? response(200, log) : response(416, 'no such range'),
  );
  expect(seen).toEqual(['abc', '']);
});

test('a part that does not say where it begins is left for all of the log', async () => {
  const { seen } = await fetchLogs(['abc', 'abcd'], (log, range) =>
    range === undefined ? response(200, log) : response(206, log.slice(-2)),
  );
  expect(seen).toEqual(['abc', 'd']);
});

test('after an error in the middle it goes on where it stopped', async () => {
  const broken: Response = {
    ...response(200, ''),
    body: (async function* () {
      yield Buffer.from('ab');
      await Promise.reject(new CictlError('unreachable', 'broken'));
    })(),
  };
  let requests = 0;
  const { readNew } = growingLog({
    read: (range) => Promise.resolve(requests++ === 0 ? broken : ranged('abcd', range)),
  });
  const seen: string[] = [];
  const fetchLog = async (): Promise<void> => {
    for await (const chunk of readNew()) seen.push(Buffer.from(chunk).toString());
  };
  await expect(fetchLog()).rejects.toThrow('broken');
  await fetchLog();
  expect(seen).toEqual(['ab', 'cd']);
});

test('the first response may be the end of the log', async () => {
  const { readNew } = growingLog({
    read: (range) => Promise.resolve(ranged('abcdef', range)),
    first: () => Promise.resolve(response(206, 'd', 'bytes 3-3/4')),
  });
  const seen: string[] = [];
  for (const fetchLog of [readNew(), readNew()])
    for await (const chunk of fetchLog) seen.push(Buffer.from(chunk).toString());
  expect(seen).toEqual(['d', 'ef']);
});
