/** Whatever grows with the square of a command line would take minutes here, and fail by the timeout. */
import { expect, test } from 'vitest';
import { complete } from './completion/complete.ts';
import { reportText } from './report.ts';
import { helpText } from './help.ts';
import { parse } from './program.ts';
import { createSecrets } from '../terminal/secrets.ts';

const million = <T>(item: T): T[] => Array<T>(1_000_000).fill(item);
const long = 'x'.repeat(4_000_000);

test.each([
  ['words', ['builds', 'cancel', ...million('1')]],
  ['switches', ['builds', 'list', ...million('-q')]],
  ['switches before the command', [...million('-q'), 'builds', 'list']],
  ['flags with values', ['builds', 'list', ...million('-sfailed')]],
  ['values of flags', ['builds', 'list', ...million(['-s', 'failed']).flat()]],
  ['words that look like flags', ['builds', 'cancel', ...million('- x')]],
  ['words behind --', ['job', 'env', '--', ...million('x')]],
  ['letters in a bundle', ['builds', 'list', `-${'q'.repeat(1_000_000)}`]],
])('a million %s', (_, args) => {
  expect(parse(args).kind).toBe('run');
});

test.each([
  ['command', [long]],
  ['verb', ['builds', long]],
  ['flag', ['builds', 'list', `--${long}`]],
  ['choice', ['builds', 'list', '--output', long]],
  ['number', ['builds', 'list', '--limit', `1${long}`]],
  ['duration', ['builds', 'list', '--max-wait', '1h'.repeat(2_000_000)]],
  ['argument too much', ['builds', 'view', '1', long]],
  ['command among a million', million('x')],
])('a %s of megabytes is refused in a line that can be read', (_, args) => {
  const error = failure(() => parse(args));
  const text = reportText(error, { args, env: {}, secrets: createSecrets() });
  expect(text).toMatch(/^cictl: /);
  expect(text.length).toBeLessThan(5000);
  const json = reportText(error, { args: ['--json'], env: {}, secrets: createSecrets() });
  expect(JSON.parse(json)).toMatchObject({ error: { code: 2, kind: 'usage' } });
  expect(json.length).toBeLessThan(10_000);
});

test('help and completion take long lines, too', async () => {
  await expect(helpText([long])).rejects.toThrow('no help for');
  await expect(helpText(million('builds'))).rejects.toThrow('no help for');
  const known = { profiles: () => [], topics: [] };
  expect(complete(million('builds'), known)).toEqual([]);
  expect(complete([...million('-q'), 'builds', 'li'], known)).toHaveLength(1);
  expect(complete([long], known)).toEqual([]);
});

function failure(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}
