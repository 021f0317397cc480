/** Applies an action to all, so many at a time; the results in their order. Rejects with the first error. */
export async function together<T, R>(
  count: number,
  all: readonly T[],
  action: (one: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const rest = all.entries();
  async function work(): Promise<void> {
    for (const [index, one] of rest) results[index] = await action(one, index);
  }
  await Promise.all(Array.from({ length: Math.min(count, all.length) }, work));
  return results;
}
