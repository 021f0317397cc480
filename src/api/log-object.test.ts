import { expect, test } from 'vitest';
import { checkedLogObject } from './log-object.ts';

/** What passes of a text that comes in these pieces; throws what the check throws. */
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
])('passes on %s, wherever its bytes are torn', async (_, text) => {
  const bytes = Buffer.from(text);
  for (let at = 0; at <= bytes.length; at++) {
    expect(await checked(bytes.subarray(0, at), bytes.subarray(at))).toBe(text);
  }
});

test.each([
  [String.raw`{"a":"\"content\":\"b\""}`, 'content is missing instead of a string'],
  ['{"content":"a","size":"1"}', 'size is a string instead of an integer'],
  [String.raw`{"content":"a\"}`, 'the answer is broken JSON'],
  ['{"content":"a"}}', 'the answer is broken JSON'],
])('refuses %s, wherever its bytes are torn', async (text, message) => {
  const bytes = Buffer.from(text);
  for (let at = 0; at <= bytes.length; at++) {
    await expect(checked(bytes.subarray(0, at), bytes.subarray(at))).rejects.toThrow(message);
  }
});
