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
  ['nothing to show', [], '', 20, []],
])('%s', (_, natural, kinds, width, widths) => {
  const columns = natural.map((own, at) => ({ natural: own, flexible: kinds[at] === 't' }));
  const fitted = fitWidths(columns, width, 2);
  expect(fitted.filter((one) => one !== undefined)).toEqual(widths);
});

test.each([
  [
    'a whole column stays',
    [{ natural: 50, flexible: true, whole: true }, { natural: 5 }],
    40,
    [50, undefined],
  ],
  [
    'so do several',
    [{ natural: 30, whole: true }, { natural: 9 }, { natural: 30, whole: true }],
    40,
    [30, undefined, 30],
  ],
  [
    'priority before place',
    [
      { natural: 20, priority: 2 },
      { natural: 15, priority: 1 },
    ],
    30,
    [undefined, 15],
  ],
  [
    'a narrow one finds room behind a wide one',
    [{ natural: 10 }, { natural: 40 }, { natural: 8 }],
    30,
    [10, undefined, 8],
  ],
  [
    'what stays gives way in the end, below its least',
    [
      { natural: 36, flexible: true, stays: true, least: 36 },
      { natural: 36, flexible: true, stays: true, least: 36 },
      { natural: 6 },
    ],
    60,
    [29, 29, undefined],
  ],
  [
    'what is spare has room where texts are comfortable',
    [
      { natural: 60, flexible: true },
      { natural: 36, isSpare: true },
    ],
    78,
    [40, 36],
  ],
  [
    'and else none, though texts might give way',
    [
      { natural: 60, flexible: true },
      { natural: 36, isSpare: true },
    ],
    77,
    [60, undefined],
  ],
  [
    'texts make room for what is whole',
    [
      { natural: 40, flexible: true },
      { natural: 30, whole: true },
    ],
    50,
    [18, 30],
  ],
])('%s', (_, columns, width, widths) => {
  expect(fitWidths(columns, width, 2)).toEqual(widths);
});
