import { expect, test } from 'vitest';
import { toExit } from '../errors.ts';
import type { Output } from './output.ts';
import { printed, terminal } from '../../test/support/units/output-context.ts';
import { plain, type Colors } from './colors.ts';
import { layOutJson, paintJson } from './print-json.ts';

test.each([
  [{}, '{"a": 1.5, "id":12345678901234567890}'],
  [{ output: 'jsonl' }, '{"a":1.5,"id":12345678901234567890}\n'],
  [{ output: 'yaml' }, 'a: 1.5\nid: 12345678901234567890\n'],
  [{ jq: '.id' }, '12345678901234567890\n'],
] as const)('prints a document with %j', async (settings, out) => {
  const json = '{"a": 1.5, "id":12345678901234567890}';
  expect((await printed((output) => output.document(json), settings)).out).toBe(out);
});

test('passes on an invalid document unless a format is requested', async () => {
  const document = (output: Output): Promise<void> => output.document('<html>\x1b[31m');
  expect((await printed(document)).out).toBe('<html>\x1b[31m');
  expect((await printed(document, {}, terminal)).out).toBe('<html>\n');
  for (const settings of [{ jq: '.' }, { output: 'json' }, { output: 'yaml' }] as const) {
    await expect(printed(document, settings)).rejects.toSatisfy((error) => toExit(error) === 9);
  }
});

test('an event is one line of JSON in any format', async () => {
  const event = (output: Output): Promise<void> => output.event({ event: 'end', exit_code: 1 });
  const line = '{"event":"end","exit_code":1}\n';
  expect((await printed(event, { output: 'json' }, terminal)).out).toBe(line);
  expect((await printed(event)).out).toBe(line);
  expect((await printed(event, { jq: '.event' })).out).toBe('end\n');
});

test.each([
  [
    '{"a":[1,{"b":null}],"c":"x, y: {"}',
    '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ],\n  "c": "x, y: {"\n}',
  ],
  ['{ "e" : [ ] ,"f":{} }', '{\n  "e": [],\n  "f": {}\n}'],
  ['12345678901234567890.10', '12345678901234567890.10'],
  ['{"a":1,"a":"\\"\\u00e9"}', '{\n  "a": 1,\n  "a": "\\"\\u00e9"\n}'],
  ['', ''],
])('%j', (json, text) => {
  expect(layOutJson(json, plain)).toBe(text);
});

const colors: Colors = {
  ...plain,
  bold: (text) => `<b>${text}</b>`,
  green: (text) => `<g>${text}</g>`,
  cyan: (text) => `<c>${text}</c>`,
  dim: (text) => `<d>${text}</d>`,
};
const shown =
  '{\n  <b>"a"</b>: <c>-1</c>,\n  <b>"b"</b>: [\n    <g>"x"</g>,\n    <d>null</d>\n  ]\n}';

test('names, strings, numbers and null have different colors', () => {
  expect(layOutJson('{"a":-1,"b":["x",null]}', colors)).toBe(shown);
});

test('indented output has the same colors', () => {
  expect(paintJson(layOutJson('{"a":-1,"b":["x",null]}', plain), colors)).toBe(shown);
});

test('formats the largest possible response in one pass', () => {
  const json = JSON.stringify(Array.from({ length: 50_000 }, (_, id) => ({ id, name: `n${id}` })));
  expect(JSON.parse(layOutJson(json, plain))).toEqual(JSON.parse(json));
});
