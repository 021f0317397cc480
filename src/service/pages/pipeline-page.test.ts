import { expect, test } from 'vitest';
import { noneText, findText } from './pipeline-page.tsx';
import type { Build } from '../../api/resources/build.ts';

const all = { state: '', branch: '', text: '' };
const wanted = { ...all, text: 'needle' };

test.each([
  [all, 1, undefined, 'No builds yet.'],
  [wanted, 1, undefined, 'No matching builds.'],
  [wanted, 2, undefined, 'No more builds.'],
  [wanted, 1, 3001, 'No matching builds back to #3001. Older builds have not been searched yet.'],
])('no build with %j on page %d, searched back to %s: %s', (filters, page, last, text) => {
  expect(noneText(filters, page, last)).toBe(text);
});

/** A list with pages of 100, and which of them were read. */
function pagesOf(builds: readonly Build[]) {
  const asked: number[] = [];
  const read = (page: number) => {
    asked.push(page);
    const elements = builds.slice((page - 1) * 100, page * 100);
    return Promise.resolve({ elements, hasNext: page * 100 < builds.length });
  };
  return { asked, read };
}

const builds = Array.from({ length: 5000 }, (_, index) => ({
  number: 5000 - index,
  branch: index % 500 === 0 ? 'rare' : index % 2 === 0 ? 'often' : 'main',
}));

test('searches only as far as a page of results requires', async () => {
  const { asked, read } = pagesOf(builds);
  const { builds: found, next, last } = await findText(read, 'OFTEN', 1);
  expect([asked, found.length, next, last]).toEqual([[1], 49, 2, 4901]);
});

test('stops after 2,000 builds and links to continue', async () => {
  const { asked, read } = pagesOf(builds);
  const first = await findText(read, 'rare', 1);
  expect([asked.length, first.next, first.last]).toEqual([20, 21, 3001]);
  const second = await findText(read, 'rare', 21);
  const third = await findText(read, 'rare', 41);
  expect([third.next, third.last]).toEqual([undefined, 1]);
  const found = [first, second, third].flatMap((search) => search.builds);
  expect(found).toEqual(builds.filter(({ branch }) => branch === 'rare'));
});

test('also searches by build number', async () => {
  const { read } = pagesOf(builds.slice(0, 100));
  expect((await findText(read, '#4999', 1)).builds).toEqual([builds[1]]);
});
