/** Runs so many actions at once at most; the others wait, the first one first. */
export function createLimit(most: number): <T>(action: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (action) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await action();
    } finally {
      const next = waiting.shift();
      // Whoever is next takes this place.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
