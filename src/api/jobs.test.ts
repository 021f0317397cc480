import { expect, test } from 'vitest';
import { InvalidResponseError } from '../http/transport.ts';
import { checkedLogObject } from './jobs.ts';

/** What passes the check of a text in these chunks; throws the error of the check. */
async function checked(...pieces: readonly Uint8Array[]): Promise<string> {
  const passed: Uint8Array[] = [];
  // eslint-disable-next-line @typescript-eslint/require-await -- a body is asynchronous by contract
  async function* body(): AsyncGenerator<Uint8Array> {
    yield* pieces;
  }
  for await (const piece of checkedLogObject(body())) passed.push(piece);
  return Buffer.concat(passed).toString();
}

test.each([
  ['quotes and backslashes in the log', String.raw`{"content":"a \"size\": {\\","size":1}`],
  ['members of members under the same names', '{"header_times":[{"size":"a"}],"content":""}'],
  ['a size that nobody knows', '{"size":null,"content":"é"}'],
])('passes on %s, wherever its bytes are split', async (_, text) => {
  const bytes = Buffer.from(text);
  for (let at = 0; at <= bytes.length; at++) {
    expect(await checked(bytes.subarray(0, at), bytes.subarray(at))).toBe(text);
  }
});

test.each([
  [String.raw`{"a":"\"content\":\"b\""}`, 'content is missing'],
  ['{"content":"a","size":"1"}', 'size is a string instead of an integer'],
  [String.raw`{"content":"a\"}`, 'the response is malformed JSON'],
  ['{"content":"a"}}', 'the response is malformed JSON'],
])('rejects %s, wherever its bytes are split', async (text, message) => {
  const bytes = Buffer.from(text);
  for (let at = 0; at <= bytes.length; at++) {
    await expect(checked(bytes.subarray(0, at), bytes.subarray(at))).rejects.toThrow(message);
  }
});

function inPieces(text: string, size: number): Uint8Array[] {
  const bytes = Buffer.from(text);
  const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => at * size);
  return starts.map((start) => bytes.subarray(start, start + size));
}

test.each([
  '{"content":"a"}',
  '{"content":""}',
  ' \n\t\r{ "url" : "u" ,\r\n\t"content" : "a" , "size" : 3 } \n',
  '{"size":null,"content":"a"}',
  '{"size":-1,"content":"a"}',
  '{"content":"braces }}]] and a quote \\" and a backslash \\\\"}',
  '{"content":"a","header_times":[1,[2],{"content":3,"size":"x"}],"more":{"content":null}}',
  '{"url":"content","content":"size","size":1}',
  '{"con\\"tent":1,"content":"a"}',
  '{"content":1,"content":"a"}',
  '{"é":true,"content":"日本"}',
])('passes %j unchanged, however it is split', async (text) => {
  for (const size of [1, 3, 1000]) expect(await checked(...inPieces(text, size))).toBe(text);
});

test.each([
  ['', 'the response is empty, not JSON'],
  [' \n', 'the response is empty, not JSON'],
  ['<html>', 'the response is HTML, not JSON'],
  [' <html>', 'the response is HTML, not JSON'],
  ['[1]', 'the response is an array instead of an object'],
  ['"content"', 'the response is a string instead of an object'],
  ['5', 'the response is a number instead of an object'],
  ['-5', 'the response is a number instead of an object'],
  ['true', 'the response is a boolean instead of an object'],
  ['false', 'the response is a boolean instead of an object'],
  ['null', 'the response is null instead of an object'],
  ['oops', 'the response is malformed JSON'],
  ['{"content":"a"', 'the response is malformed JSON'],
  ['{"content":"a', 'the response is malformed JSON'],
  ['{"content":"a\\"}', 'the response is malformed JSON'],
  ['{"content":"a","x":[}', 'the response is malformed JSON'],
  ['{"content":"a"}}', 'the response is malformed JSON'],
  ['{"content":"a"} {', 'the response is malformed JSON'],
  ['{"content":"a"} 5', 'the response is malformed JSON'],
  ['{"content":"a"}{}', 'the response is malformed JSON'],
  ['{}', 'content is missing'],
  ['{"url":"content"}', 'content is missing'],
  ['{"more":{"content":"a"}}', 'content is missing'],
  ['{"more":["content","a"]}', 'content is missing'],
  ['{"content":null}', 'content is null'],
  ['{"content":5}', 'content is a number instead of a string'],
  ['{"content":true}', 'content is a boolean instead of a string'],
  ['{"content":["a"]}', 'content is an array instead of a string'],
  ['{"content":{"a":"b"}}', 'content is an object instead of a string'],
  ['{"content":"a","size":"3"}', 'size is a string instead of an integer'],
  ['{"content":"a","size":[]}', 'size is an array instead of an integer'],
  ['{"content":"a","size":{}}', 'size is an object instead of an integer'],
  ['{"content":"a","size":false}', 'size is a boolean instead of an integer'],
])('passes nothing of %j: %s', async (text, message) => {
  for (const size of [1, 1000]) {
    const reading = checked(...inPieces(text, size));
    await expect(reading).rejects.toBeInstanceOf(InvalidResponseError);
    await expect(reading).rejects.toThrow(message);
  }
});

/** The start of a log whose first chunks have these lengths, and how many were read. */
function large(lengths: readonly number[]) {
  const state = { read: 0 };
  const start = '{"content":"';
  async function* body(): AsyncGenerator<Uint8Array> {
    for (const length of lengths) {
      state.read += 1;
      const text = (state.read === 1 ? start : '').padEnd(length, 'x');
      yield await Promise.resolve(Buffer.from(text));
    }
    yield Buffer.from('"');
  }
  return { state, log: checkedLogObject(body()) };
}

test.each([
  [[65_536, 10], 1],
  [[65_535, 1, 10], 2],
  [[40_000, 20_000, 40_000, 10], 3],
])('streams a log from 64 KiB on: chunks of %j', async (lengths, count) => {
  const { state, log } = large(lengths);
  const first = await log.next();
  expect(state.read).toBe(count);
  expect(first.value).toHaveLength(lengths[0] ?? 0);
});

test('a large log that breaks off is passed on up to there', async () => {
  const { log } = large([65_536, 10, 20]);
  let length = 0;
  const reading = (async () => {
    for await (const piece of log) length += piece.length;
  })();
  await expect(reading).rejects.toThrow('the response is malformed JSON');
  expect(length).toBe(65_536 + 10 + 20 + 1);
});

test('nothing of a small log that breaks off is passed on', async () => {
  const { log } = large([65_000]);
  await expect(log.next()).rejects.toThrow('the response is malformed JSON');
});
