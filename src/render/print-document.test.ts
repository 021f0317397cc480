import { expect, test } from 'vitest';
import { toExit } from '../errors.ts';
import type { Output } from './output.ts';
import { printed, terminal } from './samples.ts';

test.each([
  [{}, '{"a": 1.5, "id":12345678901234567890}'],
  [{ output: 'jsonl' }, '{"a":1.5,"id":12345678901234567890}\n'],
  [{ output: 'yaml' }, 'a: 1.5\nid: 12345678901234567890\n'],
  [{ jq: '.id' }, '12345678901234567890\n'],
] as const)('a document under %j', async (settings, out) => {
  const json = '{"a": 1.5, "id":12345678901234567890}';
  expect((await printed((output) => output.document(json), settings)).out).toBe(out);
});

test('a document that is no JSON passes, unless a form is asked for', async () => {
  const document = (output: Output): Promise<void> => output.document('<html>\x1b[31m');
  expect((await printed(document)).out).toBe('<html>\x1b[31m');
  expect((await printed(document, {}, terminal)).out).toBe('<html>\n');
  for (const settings of [{ jq: '.' }, { output: 'json' }, { output: 'yaml' }] as const) {
    await expect(printed(document, settings)).rejects.toSatisfy((error) => toExit(error) === 9);
  }
});

test('an event is one line of JSON whatever the form', async () => {
  const event = (output: Output): Promise<void> => output.event({ event: 'end', exit_code: 1 });
  const line = '{"event":"end","exit_code":1}\n';
  expect((await printed(event, { output: 'json' }, terminal)).out).toBe(line);
  expect((await printed(event)).out).toBe(line);
  expect((await printed(event, { jq: '.event' })).out).toBe('end\n');
});
