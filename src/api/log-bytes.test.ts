import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { all } from '../../test/support/client.ts';
import type { Response } from '../http/transport.ts';
import { endOfLog, wholeLog } from './log-bytes.ts';

const ref = { org: 'acme', pipeline: 'web', number: 7, job: 'j' };
const kib = 1024;
const suffixes = [256 * kib, 4096 * kib, 32_768 * kib].map((size) => `bytes=-${size}`);

const response = (status: number, text: string, range?: string): Response => ({
  status,
  headers: range === undefined ? {} : { 'content-range': range },
  // Pieces that break anywhere, as a network gives them.
  body: Readable.from((text.match(/[^]{1,7}/g) ?? []).map((piece) => Buffer.from(piece))),
});

/** The end of a log of which each request gets the next response. */
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

test('the whole log is asked for without a range', async () => {
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

test('a part with 200 lines more than wanted is enough', async () => {
  expect(await end([part(linesOf(204))])).toEqual({
    ...{ status: 206, text: linesOf(204), ranges: suffixes.slice(0, 1) },
  });
});

test('with fewer lines a larger part is asked for, and in the end all of it', async () => {
  const few = [part(linesOf(203)), part('no line at all'), part(linesOf(203))];
  expect(await end([...few, response(200, 'all')])).toEqual({
    ...{ status: 200, text: 'all', ranges: [...suffixes, undefined] },
  });
});

test.each<[string, Response]>([
  ['a service without ranges sends the whole log', response(200, 'a')],
  ['a part that begins at the start is the whole log', response(206, 'a', 'bytes 0-0/1')],
  ['a part that does not say where it begins is passed on', response(206, 'a')],
])('%s: it is read once', async (_, whole) => {
  expect(await end([whole])).toMatchObject({ text: 'a', ranges: suffixes.slice(0, 1) });
});

test('an empty log, of which there is no part, is read as a whole', async () => {
  const responses = [response(416, 'no such range', 'bytes */0'), response(200, '')];
  expect(await end(responses)).toEqual({ status: 200, text: '', ranges: [suffixes[0], undefined] });
});
