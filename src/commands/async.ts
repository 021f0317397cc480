/** Runs `task` on every item, at most `width` at a time; results keep the input order. */
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

export async function* filterAsync<T>(
  elements: AsyncIterable<T>,
  test: (element: T) => boolean,
): AsyncGenerator<T> {
  for await (const element of elements) if (test(element)) yield element;
}

export async function* once<T>(element: T): AsyncGenerator<T, void, undefined> {
  yield await Promise.resolve(element);
}
