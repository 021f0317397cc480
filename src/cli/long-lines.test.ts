/** Anything quadratic in the length of a command line would take minutes here and time out. */
import { expect, test } from 'vitest';
import { complete } from './completion/complete.ts';
import { errorText } from './error-text.ts';
import { helpText } from './help.ts';
import { parse } from './parse.ts';
import { createSecrets } from '../terminal/secrets.ts';
import { sampled } from '../../test/support/full.ts';

const many = <T>(item: T): T[] => Array<T>(100_000).fill(item);
const json = { key: 'json', value: undefined };
const long = 'x'.repeat(4_000_000);

sampled.each([
  ['words', ['builds', 'cancel', ...many('1')]],
  ['switches', ['builds', 'list', ...many('-q')]],
  ['switches before the command', [...many('-q'), 'builds', 'list']],
  ['flags with values', ['builds', 'list', ...many('-sfailed')]],
  [
    'values of flags',
    ['builds', 'list', ...many('-s').flatMap((flag, at) => (at % 2 === 0 ? [flag, 'failed'] : []))],
  ],
  ['words that look like flags', ['builds', 'cancel', ...many('- x')]],
  ['words behind --', ['job', 'env', '--', ...many('x')]],
  ['letters in a bundle', ['builds', 'list', `-${'q'.repeat(100_000)}`]],
])('a hundred thousand %s', (_, args) => {
  expect(parse(args).kind).toBe('run');
});

sampled.each([
  ['command', [long]],
  ['verb', ['builds', long]],
  ['flag', ['builds', 'list', `--${long}`]],
  ['choice', ['builds', 'list', '--output', long]],
  ['number', ['builds', 'list', '--limit', `1${long}`]],
  ['duration', ['builds', 'list', '--max-wait', '1h'.repeat(2_000_000)]],
  ['argument too much', ['builds', 'view', '1', long]],
  ['command among many', many('x')],
])('a %s of megabytes is refused in a line that can be read', (_, args) => {
  const error = failure(() => parse(args));
  const text = errorText(error, { flags: [], env: {}, secrets: createSecrets() });
  expect(text).toMatch(/^cictl: /);
  expect(text.length).toBeLessThan(5000);
  const asJson = errorText(error, { flags: [json], env: {}, secrets: createSecrets() });
  expect(JSON.parse(asJson)).toMatchObject({ error: { code: 2, kind: 'usage' } });
  expect(asJson.length).toBeLessThan(10_000);
});

test('rejects more arguments than Commander can spread', () => {
  const error = failure(() => parse(['builds', 'cancel', ...Array<string>(1_000_000).fill('1')]));
  expect(String(error)).toContain('too many arguments');
});

test('help and completion accept long lines too', async () => {
  await expect(helpText([long])).rejects.toThrow('no help for');
  await expect(helpText(many('builds'))).rejects.toThrow('no help for');
  expect(complete(many('builds'), [])).toEqual({ candidates: [] });
  expect(complete([...many('-q'), 'builds', 'li'], []).candidates).toHaveLength(1);
  expect(complete([long], [])).toEqual({ candidates: [] });
});

function failure(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}
