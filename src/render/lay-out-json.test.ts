import { expect, test } from 'vitest';
import { plain, type Colors } from './colors.ts';
import { layOutJson, paintJson } from './lay-out-json.ts';

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

test('names, texts, numbers and null have colours of their own', () => {
  expect(layOutJson('{"a":-1,"b":["x",null]}', colors)).toBe(shown);
});

test('what is laid out gets the same colours', () => {
  expect(paintJson(layOutJson('{"a":-1,"b":["x",null]}', plain), colors)).toBe(shown);
});

test('a text as large as an answer can be is laid out in one pass', () => {
  const json = JSON.stringify(Array.from({ length: 50_000 }, (_, id) => ({ id, name: `n${id}` })));
  expect(JSON.parse(layOutJson(json, plain))).toEqual(JSON.parse(json));
});
