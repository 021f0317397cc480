import { expect, test } from 'vitest';
import { suggest } from './suggest.ts';

test.each([
  ['comand', 'command'],
  ['lable', 'label'],
  ['Env', 'env'],
  ['timeout_in_minute', 'timeout_in_minutes'],
  ['lsit', 'list'],
  ['en', 'env'],
  ['commandz', 'command'],
  ['enxx', undefined],
  ['something', undefined],
  ['x', undefined],
])('%s -> %s', (word, expected) => {
  expect(suggest(word, ['command', 'commands', 'label', 'env', 'list', 'timeout_in_minutes'])).toBe(
    expected,
  );
});
