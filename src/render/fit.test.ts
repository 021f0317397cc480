import { expect, test } from 'vitest';
import { fitWidths } from './fit.ts';

test.each([
  ['all fit', [5, 20, 10], 'ftt', 80, [5, 20, 10]],
  ['no limit', [5, 900, 10], 'ftt', Infinity, [5, 900, 10]],
  ['the widest text gives way', [5, 60, 20], 'ftt', 59, [5, 30, 20]],
  ['then several share', [5, 60, 40], 'ftt', 49, [5, 20, 20]],
  ['a wide fixed column stays', [36, 30, 12], 'ftt', 62, [36, 11, 11]],
  ['texts keep ten, the last column goes', [36, 30, 12, 8], 'fttf', 62, [36, 11, 11]],
  ['short texts are not padded', [5, 3, 60], 'ftt', 40, [5, 3, 28]],
  ['one column alone', [36, 30], 'ft', 40, [36]],
  ['not even the first', [36, 30], 'ft', 20, [20]],
  ['nothing to show', [], '', 20, [0]],
])('%s', (_, natural, kinds, width, widths) => {
  const flexible = Array.from(kinds, (kind) => kind === 't');
  expect(fitWidths(natural, flexible, width, 2)).toEqual(widths);
});
