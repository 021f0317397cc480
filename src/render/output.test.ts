import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseJson } from '../api/json.ts';
import { build } from '../api/resources/build.ts';
import { toExit } from '../errors.ts';
import { createOutput, type Output } from './output.ts';
import {
  memoryStream,
  printed,
  surroundings,
  terminal,
  thing,
  things,
} from '../../test/support/units/output-context.ts';

const list = (elements: Iterable<object>) => (output: Output) => output.list(thing, elements);
const one = (element: object) => (output: Output) => output.one(thing, element);
const [first = {}, second = {}] = things;

test('prints TSV in a pipe and a table on a terminal', async () => {
  const { out } = await printed(list(things));
  expect(out).toBe(
    '12\tblocked\tAdd 日本語 and 🫠 faces\\nwith a body\tAda\t2026-11-20T11:55:00Z\n' +
      '7\thibernating\ttab\\there \\\\ \x1b[31mred\x1b[0m\t\t2013-09-03T13:24:38Z\n',
  );
  const table = await printed(list(things), {}, terminal);
  expect(table.out).toMatch(/^THING {2}STATE .*\n {3}12 {2}■ blocked/);
  expect(table.out).not.toContain('\x1b');
});

test('prints JSON as sent by the service, in a pipe and on a terminal', async () => {
  const sent = parseJson(
    '[{"number":12345678901234567890,"new":null,"t":"\\u009b31m"},{"__proto__":1}]',
  );
  const pipe = await printed(list(sent as object[]), { output: 'json' });
  expect(pipe.out).toBe(
    '[\n{"number":12345678901234567890,"new":null,"t":"\x9b31m"},\n{"__proto__":1}\n]\n',
  );
  const screen = await printed(list(sent as object[]), { output: 'json' }, terminal);
  expect(screen.out).not.toContain('\x9b');
  expect(parseJson(screen.out)).toEqual(sent);
});

test.each([
  ['table', '', ['no things found']],
  ['tsv', '', ['no things found']],
  ['jsonl', '', ['no things found']],
  ['json', '[]\n', []],
  ['yaml', '[]\n', []],
] as const)('prints an empty list as %s', async (output, out, notes) => {
  expect(await printed(list([]), { output })).toEqual({ out, notes });
});

test('the message for an empty list can be replaced', async () => {
  const { notes } = await printed((output) =>
    output.list(thing, [], { empty: 'no failed things' }),
  );
  expect(notes).toEqual(['no failed things']);
});

const fields = ['number', 'owner.name'];

test.each([
  ['table', 'NUMBER  OWNER.NAME\n    12  Ada\n     7\n'],
  ['tsv', '12\tAda\n7\t\n'],
  ['json', '[\n{"number":12,"owner":{"name":"Ada"}},\n{"number":7,"owner":null}\n]\n'],
  ['jsonl', '{"number":12,"owner":{"name":"Ada"}}\n{"number":7,"owner":null}\n'],
  ['yaml', '- number: 12\n  owner:\n    name: Ada\n- number: 7\n  owner: null\n'],
] as const)('--fields of a list as %s', async (output, out) => {
  expect(await printed(list(things), { output, fields })).toEqual({ out, notes: [] });
});

test.each([
  ['table', 'number      12\nowner.name  Ada\n'],
  ['tsv', '12\tAda\n'],
  ['json', '{"number":12,"owner":{"name":"Ada"}}\n'],
  ['jsonl', '{"number":12,"owner":{"name":"Ada"}}\n'],
  ['yaml', 'number: 12\nowner:\n  name: Ada\n'],
] as const)('--fields of one resource as %s', async (output, out) => {
  expect(await printed(one(first), { output, fields })).toEqual({ out, notes: [] });
});

test.each([
  [{ jq: 'map(.number)' }, '[12,7]\n'],
  [{ jq: '.[].number', output: 'json' }, '12\n7\n'],
  [{ jq: '.number', output: 'jsonl' }, '12\n7\n'],
  [{ jq: '.[0].message', output: 'yaml' }, 'Add 日本語 and 🫠 faces\nwith a body\n'],
  [{ jq: '.[0]', fields }, '{"number":12,"owner":{"name":"Ada"}}\n'],
  [{ jq: 'empty' }, ''],
] as const)('%j of a list', async (settings, out) => {
  expect(await printed(list(things), settings)).toEqual({ out, notes: [] });
});

test('jq gets an empty array if nothing was found', async () => {
  expect(await printed(list([]), { jq: 'length' })).toEqual({ out: '0\n', notes: [] });
});

test('jq output reaches a terminal without control characters', async () => {
  const { out } = await printed(one(second), { jq: '.message' }, terminal);
  expect(out).toBe('tab\there \\ red\n');
});

test.each([
  [{ jq: '.a |' }],
  [{ fields: ['nothing'] }],
  [{ fields: ['nothing'], output: 'json' }],
] as const)('%j fails before any request', async (settings) => {
  let asked = false;
  const elements = function* (): Generator<object> {
    asked = true;
    yield first;
  };
  const change = (): Promise<object> => Promise.resolve(Array.from(elements()));
  for (const use of [
    list({ [Symbol.iterator]: elements }),
    (output: Output) => output.changed(thing, change),
    (output: Output) => output.check(thing),
  ]) {
    await expect(printed(use, settings)).rejects.toSatisfy((error) => toExit(error) === 2);
  }
  expect(asked).toBe(false);
});

test('rejects --fields without a resource', async () => {
  await expect(printed((output) => output.check(), { fields })).rejects.toThrow(
    'does not support --fields',
  );
});

async function* breaking(): AsyncGenerator<object> {
  yield* things;
  await Promise.reject(new Error('gone'));
}

test.each([
  ['tsv', /^12\t.*\n7\t.*\n$/],
  ['jsonl', /^\{.*\}\n\{.*\}\n$/],
  ['json', /^\[\n\{.*\},\n\{.*\}$/],
  ['yaml', /^$/],
  ['table', /^$/],
] as const)('a failure partway keeps, as %s, what had arrived', async (output, left) => {
  const stream = memoryStream();
  const out = await createOutput({ ...surroundings, settings: { output }, stream });
  await expect(out.list(thing, breaking())).rejects.toThrow('gone');
  expect(stream.text()).toMatch(left);
});

const builds = [
  {
    number: 5,
    state: 'passed',
    pipeline: { slug: 'web' },
    url: 'https://x/v2/organizations/o/pipelines/web/builds/5',
  },
];

test.each([
  ['pipeline', {}, 'web/5\tpassed\t\t\t\t\t\n'],
  ['organization', {}, 'o/web/5\tpassed\t\t\t\t\t\n'],
  [undefined, {}, '5\tpassed\t\t\t\t\t\n'],
  ['pipeline', { fields: ['state', 'number'] }, 'passed\t5\n'],
  ['pipeline', { output: 'jsonl', fields: ['number'] }, '{"number":5}\n'],
] as const)('a list that spans a %s, with %j', async (reference, settings, out) => {
  const options = reference === undefined ? {} : { reference };
  const result = await printed((output) => output.list(build, builds, options), settings);
  expect(result.out).toBe(out);
});

test('YAML round-trips the values', async () => {
  const { out } = await printed(list(things), { output: 'yaml' });
  expect(parse(out)).toEqual(things);
});

test('opens the pager at the first output, only on a terminal, and closes it', async () => {
  const pager = memoryStream(terminal);
  let opened = 0;
  const page = (): Promise<typeof pager> => {
    opened += 1;
    return Promise.resolve(pager);
  };
  for (const stream of [memoryStream(), memoryStream(terminal)]) {
    const output = await createOutput({ ...surroundings, settings: {}, stream, page });
    await output.line('one');
    await output.line('two');
    await output.close();
  }
  expect(opened).toBe(1);
  expect(pager.text()).toBe('one\ntwo\n');
});
