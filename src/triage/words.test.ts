import { expect, test } from 'vitest';
import { exitWords } from './words.ts';

test.each([
  [1, '1'],
  [124, '124 (timed out)'],
  [127, '127 (command not found)'],
  [137, '137 (killed, often out of memory)'],
  [139, '139 (segmentation fault)'],
])('describes exit status %i as %j', (status, words) => {
  expect(exitWords(status)).toBe(words);
});
