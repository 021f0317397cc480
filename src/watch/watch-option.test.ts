import { expect, test } from 'vitest';
import type { Resource } from '../api/resources/resource.ts';
import type { Context } from '../context.ts';
import { changeForWatch, checkWatchOption } from './watch-option.ts';

const context = (format: string, settings: object = {}) => {
  const changed: unknown[] = [];
  const out = {
    ...{ format, isScreen: false },
    changed: async (resource: unknown, send: () => Promise<object>) => {
      changed.push(resource);
      return send();
    },
  };
  return { changed, context: { out, settings } as unknown as Context };
};

test.each<[string, { watch: boolean; timeout?: number }, string, object, string | undefined]>([
  ['nothing', { watch: false }, 'tsv', {}, undefined],
  [
    'a limit without watching',
    { watch: false, timeout: 1 },
    'tsv',
    {},
    '--timeout requires --watch',
  ],
  ['a limit', { watch: true, timeout: 1 }, 'json', {}, undefined],
  ['fields of events', { watch: true }, 'jsonl', { fields: ['a'] }, '--fields does not apply to'],
  ['fields of a table', { watch: true }, 'tsv', { fields: ['a'] }, undefined],
  ['fields without watching', { watch: false }, 'json', { fields: ['a'] }, undefined],
])('%s', (_, input, format, settings, message) => {
  const check = () => checkWatchOption(input as never, context(format, settings).context);
  if (message === undefined) expect(check).not.toThrow();
  else
    expect(check).toThrow(
      expect.objectContaining({
        kind: 'usage',
        message: expect.stringContaining(message) as string,
      }),
    );
});

test.each([
  [true, 'json', {}, false],
  [true, 'json', { dryRun: true }, true],
  [true, 'tsv', {}, true],
  [false, 'json', {}, true],
])('watching %s as %s with %j prints the response: %s', async (watch, format, settings, prints) => {
  const resource = {} as Resource;
  const { changed, context: around } = context(format, settings);
  const sent = { id: 'x' };
  const result = await changeForWatch(
    resource,
    () => Promise.resolve(sent),
    { watch } as never,
    around,
  );
  expect(result).toBe(sent);
  expect(changed).toEqual(prints ? [resource] : []);
});
