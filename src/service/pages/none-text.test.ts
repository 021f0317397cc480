import { expect, test } from 'vitest';
import { noneText } from './none-text.ts';

const all = { state: '', branch: '', text: '' };
const wanted = { ...all, text: 'needle' };

test.each([
  [all, 1, undefined, 'There are no builds yet.'],
  [wanted, 1, undefined, 'No build is like that.'],
  [wanted, 2, undefined, 'There are no more builds.'],
  [wanted, 1, 3001, 'No build is like that back to #3001; older ones were not looked at yet.'],
])('of %j on page %d, looked back to %s: %s', (filters, page, last, text) => {
  expect(noneText(filters, page, last)).toBe(text);
});
