/** The elements that pass a test, as they arrive. */
export async function* filterAsync<T>(
  elements: AsyncIterable<T>,
  wanted: (element: T) => boolean,
): AsyncGenerator<T> {
  for await (const element of elements) if (wanted(element)) yield element;
}
