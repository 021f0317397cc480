import { expect, test } from 'vitest';
import { DryRun } from '../api/call.ts';
import { parseJson } from '../api/json.ts';
import type { Output } from './output.ts';
import { printed, terminal, thing, things } from '../../test/support/units/output-context.ts';

const [first = {}] = things;

test.each([
  [{ web_url: 'https://ci.example/1', id: 'a' }, 'https://ci.example/1\n'],
  [{ web_url: null, id: 'a' }, 'a\n'],
  [{ uuid: 'u' }, 'u\n'],
  [{ web_url: '', id: ' ', url: 'https://api.example/1', number: 3 }, 'https://api.example/1\n'],
  [{ web_url: {}, id: [], number: 3 }, '3\n'],
  [{ number: 0 }, '0\n'],
  [parseJson('{"number":12345678901234567890}') as object, '12345678901234567890\n'],
  [{ name: 'n' }, 'n\n'],
  [{ context: 'a\tb' }, 'a\\tb\n'],
  [{ state: 'passed', message: 'one\ntwo' }, '{"state":"passed","message":"one\\ntwo"}\n'],
  [{}, '{}\n'],
])('for %j, a change prints in a pipe', async (element, out) => {
  const change = (): Promise<object> => Promise.resolve(element);
  expect((await printed((output) => output.changed(thing, change))).out).toBe(out);
});

test('a change prints one line and the URL on a terminal, and the resource elsewhere', async () => {
  const change = (): Promise<object> => Promise.resolve(first);
  const changed = (output: Output): Promise<unknown> => output.changed(thing, change);
  expect((await printed(changed, {}, terminal)).out).toBe(
    '✓ changed thing 0190a4e2-0000-4000-8000-000000000001\n  https://ci.example/things/12\n',
  );
  expect(parseJson((await printed(changed, { output: 'json' })).out)).toEqual(first);
  expect((await printed(changed, { fields: ['number'] })).out).toBe('12\n');
});

test('a dry run prints nothing more', async () => {
  let result: unknown = 'unset';
  const dry = async (output: Output): Promise<void> => {
    result = await output.changed<object>(thing, () => Promise.reject(new DryRun()));
  };
  expect(await printed(dry)).toEqual({ out: '', notes: [] });
  expect(result).toBeUndefined();
});

test('several changes are several documents', async () => {
  const both = async (output: Output): Promise<void> => {
    for (const number of [1, 2]) await output.changed(thing, () => Promise.resolve({ number }));
  };
  expect((await printed(both, { output: 'yaml' })).out).toBe('number: 1\n---\nnumber: 2\n');
  expect((await printed(both, { output: 'json' })).out).toBe('{"number":1}\n{"number":2}\n');
});

test.each([[{}], [{ unknown: 'a\u202eb' }], [{ id: null }]])(
  'a change never prints an empty line elsewhere: %j',
  async (element) => {
    const change = (): Promise<object> => Promise.resolve(element);
    const { out } = await printed((output) => output.changed(thing, change), {}, terminal);
    expect(out).toBe('✓ changed thing\n');
  },
);
