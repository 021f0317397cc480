/** Returns a function that runs at most `most` actions at once; the others wait in order. */
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
      // The next action takes over this place.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
