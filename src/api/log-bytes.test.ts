import { Readable } from 'node:stream';
import { expect, test, describe } from 'vitest';
import { all } from '../../test/support/client.ts';
import type { Response } from '../http/transport.ts';
import { endOfLog, wholeLog, growingLog } from './log-bytes.ts';
import { CictlError } from '../errors.ts';

describe('log bytes', () => {
  const ref = { org: 'acme', pipeline: 'web', number: 7, job: 'j' };
  const kib = 1024;
  const suffixes = [256 * kib, 4096 * kib, 32_768 * kib].map((size) => `bytes=-${size}`);

  const response = (status: number, text: string, range?: string): Response => ({
    status,
    headers: range === undefined ? {} : { 'content-range': range },
    // Chunks that break anywhere, as on a network.
    body: Readable.from((text.match(/[^]{1,7}/g) ?? []).map((piece) => Buffer.from(piece))),
  });

  /** The end of a log; each request gets the next response. */
  async function end(responses: readonly Response[], lines = 3) {
    const left = [...responses];
    const ranges: (string | undefined)[] = [];
    const jobs = {
      logText: (_: unknown, options: { range?: string } = {}) => {
        ranges.push(options.range);
        const next = left.shift();
        return next === undefined
          ? Promise.reject(new Error('asked too often'))
          : Promise.resolve(next);
      },
    };
    const { body, status } = await endOfLog(jobs, ref, lines);
    return { status, text: Buffer.concat(await all(body)).toString(), ranges };
  }

  const linesOf = (count: number): string => 'a\n'.repeat(count);
  const part = (text: string): Response => response(206, text, 'bytes 10-999/1000');

  test('requests the whole log without a range', async () => {
    const ranges: unknown[] = [];
    const jobs = {
      logText: (_: unknown, options?: unknown) => {
        ranges.push(options);
        return Promise.resolve(response(200, 'a\nb'));
      },
    };
    expect(Buffer.concat(await all(await wholeLog(jobs, ref))).toString()).toBe('a\nb');
    expect(ranges).toEqual([undefined]);
  });

  test('stops at a range with 200 lines more than needed', async () => {
    expect(await end([part(linesOf(204))])).toEqual({
      ...{ status: 206, text: linesOf(204), ranges: suffixes.slice(0, 1) },
    });
  });

  test('requests a larger range if lines are missing, and finally the whole log', async () => {
    const few = [part(linesOf(203)), part('no line at all'), part(linesOf(203))];
    expect(await end([...few, response(200, 'all')])).toEqual({
      ...{ status: 200, text: 'all', ranges: [...suffixes, undefined] },
    });
  });

  test.each<[string, Response]>([
    ['a service without ranges sends the whole log', response(200, 'a')],
    ['a part that begins at the start is the whole log', response(206, 'a', 'bytes 0-0/1')],
    ['a part that does not say where it begins is passed on', response(206, 'a')],
  ])('%s: reads it once', async (_, whole) => {
    expect(await end([whole])).toMatchObject({ text: 'a', ranges: suffixes.slice(0, 1) });
  });

  test('reads an empty log, which has no ranges, as a whole', async () => {
    const responses = [response(416, 'no such range', 'bytes */0'), response(200, '')];
    expect(await end(responses)).toEqual({
      status: 200,
      text: '',
      ranges: [suffixes[0], undefined],
    });
  });
});

describe('growing log', () => {
  const response = (status: number, body: string, range?: string): Response => ({
    status,
    headers: range === undefined ? {} : { 'content-range': range },
    body: Readable.from((body.match(/[^]{1,1000}/g) ?? []).map((piece) => Buffer.from(piece))),
  });

  /** The whole log or the requested range. */
  function ranged(log: string, range: string | undefined): Response {
    const wanted = /^bytes=-(\d+)$/.exec(range ?? '')?.[1];
    if (wanted === undefined) return response(200, log);
    if (log === '') return response(416, 'nothing there', 'bytes */0');
    const start = Math.max(0, log.length - Number(wanted));
    return response(206, log.slice(start), `bytes ${start}-${log.length - 1}/${log.length}`);
  }

  type Serve = (log: string, range: string | undefined) => Response;

  /** The result of each request for a log; null if there is no log. */
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
  ])('from a service with %s, each byte comes once', async (_, serve) => {
    const logs = [null, '', 'a', 'a', 'abc', `abc${long}`, `abc${long}`, `abc${long}${long}!`];
    const { seen, shrunk } = await fetchLogs(logs, serve);
    expect(seen).toEqual(['', '', 'a', '', 'bc', long, '', `${long}!`]);
    expect(shrunk).toEqual([]);
  });

  test('requests a longer suffix if the new bytes do not fit', async () => {
    const { ranges } = await fetchLogs(['abc', `abc${long}`]);
    expect(ranges).toEqual([undefined, 'bytes=-4096', `bytes=-${long.length + 4096}`]);
  });

  test.each([
    ['ranges', ranged],
    ['no ranges', whole],
  ])('from a service with %s, a shrunken log is reported and read again', async (_, serve) => {
    const { seen, shrunk } = await fetchLogs(['abcdef', 'xyz', 'xyz1'], serve);
    expect(seen).toEqual(['abcdef', 'xyz', '1']);
    expect(shrunk).toEqual([[6, 3]]);
  });

  test.each([
    ['is not there any more', null],
    ['is empty', ''],
  ])('reports once that a log %s', async (_, gone) => {
    const { seen, shrunk } = await fetchLogs(['abc', gone, gone, 'd']);
    expect(seen).toEqual(['abc', '', '', 'd']);
    expect(shrunk).toEqual([[3, 0]]);
  });

  test('416 without a size means that nothing is new', async () => {
    const { seen, ranges } = await fetchLogs(['abc', 'abc'], (log, range) =>
      range === undefined ? response(200, log) : response(416, 'no such range'),
    );
    expect(seen).toEqual(['abc', '']);
    expect(ranges).toEqual([undefined, 'bytes=-4096']);
  });

  test('reads the whole log if a range has no start', async () => {
    const { seen } = await fetchLogs(['abc', 'abcd'], (log, range) =>
      range === undefined ? response(200, log) : response(206, log.slice(-2)),
    );
    expect(seen).toEqual(['abc', 'd']);
  });

  test('continues where it stopped after an error', async () => {
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

  test('416 with a smaller size means that the log shrank: it is read again', async () => {
    const { seen, ranges, shrunk } = await fetchLogs(['abcde', 'xy'], (log, range) =>
      range === undefined ? response(200, log) : response(416, 'no such range', 'bytes */2'),
    );
    expect(seen).toEqual(['abcde', 'xy']);
    expect(shrunk).toEqual([[5, 2]]);
    expect(ranges).toEqual([undefined, 'bytes=-4096', undefined]);
  });

  test('requests all of a log that was empty', async () => {
    expect((await fetchLogs(['', 'a'])).ranges).toEqual([undefined, undefined]);
  });

  test('requests twice as much as came last, from 4 KiB to 1 MiB', async () => {
    const lengths = [5000, 8000, 11_000, 11_010, 11_020];
    const { seen, ranges } = await fetchLogs(lengths.map((length) => long.slice(0, length)));
    expect(seen.map(({ length }) => length)).toEqual([5000, 3000, 3000, 10, 10]);
    expect(ranges).toEqual([
      ...[undefined, 'bytes=-10000', 'bytes=-6000', 'bytes=-6000', 'bytes=-4096'],
    ]);
    const huge = 'x'.repeat(1_200_000);
    expect((await fetchLogs([huge, `${huge}!`])).ranges).toEqual([undefined, 'bytes=-1048576']);
  });

  test('reporting a shrunken log is optional', async () => {
    const logs = ['abc', 'x'];
    const { readNew } = growingLog({
      read: () => Promise.resolve(response(200, logs.shift() ?? 'x')),
    });
    const seen: string[] = [];
    for (const fetchLog of [readNew(), readNew()])
      for await (const chunk of fetchLog) seen.push(Buffer.from(chunk).toString());
    expect(seen).toEqual(['abc', 'x']);
  });

  test('repeats the first request until there is a log', async () => {
    const missing = new CictlError('not_found', 'no log');
    let requests = 0;
    const { readNew } = growingLog({
      read: () => Promise.reject(new Error('asked for all of it')),
      first: () =>
        requests++ === 0
          ? Promise.reject(missing)
          : Promise.resolve(response(206, 'd', 'bytes 3-3/4')),
    });
    const seen: string[] = [];
    for (const fetchLog of [readNew(), readNew()])
      for await (const chunk of fetchLog) seen.push(Buffer.from(chunk).toString());
    expect(seen).toEqual(['d']);
  });

  test('reads an unneeded body to free the connection', async () => {
    const state = { read: 0 };
    async function* body() {
      for (; state.read < 3; state.read++) yield await Promise.resolve(Buffer.from('none'));
    }
    const refused = { ...response(416, '', 'bytes */1'), body: body() };
    const logs = [response(200, 'a'), refused];
    const { readNew } = growingLog({
      read: () => Promise.resolve(logs.shift() ?? response(200, '')),
    });
    expect(await all(readNew())).toHaveLength(1);
    expect(await all(readNew())).toEqual([]);
    expect(state.read).toBe(3);
  });

  test.each([new CictlError('auth', 'no scope'), new Error('a bug')])(
    'an unreadable log is not a missing one: %s',
    async (error) => {
      const { readNew } = growingLog({ read: () => Promise.reject(error) });
      await expect(all(readNew())).rejects.toBe(error);
    },
  );
});
