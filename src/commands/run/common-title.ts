/** What the titles of a step's jobs have in common; words in which they differ become `…`. */
export function commonTitle(titles: readonly string[]): string {
  const [first = [], ...others] = titles.map((title) => title.split(' '));
  if (others.every((words) => words.join(' ') === first.join(' '))) return first.join(' ');
  const before = sharedBy(first, others);
  const after = sharedBy(
    first.slice(before).reverse(),
    others.map((words) => words.slice(before).reverse()),
  );
  const end = after === 0 ? [] : first.slice(-after);
  return [...first.slice(0, before), '…', ...end].join(' ');
}

/** How many words at their beginning are the same. */
function sharedBy(first: readonly string[], others: readonly (readonly string[])[]): number {
  const differs = first.findIndex((word, at) => others.some((words) => words[at] !== word));
  return differs === -1 ? first.length : differs;
}
