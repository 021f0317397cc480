/** Gives for each key what was made for it first: what many elements of one list share. */
export function onceForEach<T>(): (key: string, make: () => T) => T {
  const made = new Map<string, { readonly value: T }>();
  return (key, make) => {
    const known = made.get(key) ?? { value: make() };
    made.set(key, known);
    return known.value;
  };
}
