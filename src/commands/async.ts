/** Runs `task` on every item, at most `width` at a time; the results in the order of the items. */
export async function mapConcurrent<T, R>(
  items: readonly T[],
  width: number,
  task: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = [...items.entries()].values();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await task(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}

/** The elements that pass a test, as they arrive. */
export async function* filterAsync<T>(
  elements: AsyncIterable<T>,
  wanted: (element: T) => boolean,
): AsyncGenerator<T> {
  for await (const element of elements) if (wanted(element)) yield element;
}
