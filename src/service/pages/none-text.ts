import type { BuildFilterTexts } from '../../pages/lists/build-filters.tsx';

/** What a list of builds says that has none. `last`: the number of the last that was looked at, where older ones are left. */
export function noneText(
  { state, branch, text }: BuildFilterTexts,
  page: number,
  last?: number,
): string {
  if (last !== undefined)
    return `No build is like that back to #${last}; older ones were not looked at yet.`;
  if (page > 1) return 'There are no more builds.';
  const isAll = state === '' && branch === '' && text === '';
  return isAll ? 'There are no builds yet.' : 'No build is like that.';
}
