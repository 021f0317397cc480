/** Work that several may ask for at the same time, and that is done once. */
export interface UnderWay<T> {
  /** What is under way by that name, else what `make` begins. */
  readonly once: (name: string, make: () => Promise<T>) => Promise<T>;
  /** Resolves when nothing of that name, or of any, is under way. */
  readonly settled: (name?: string) => Promise<void>;
}

export function createUnderWay<T>(): UnderWay<T> {
  const all = new Map<string, Promise<T>>();
  return {
    once: (name, make) => {
      const found = all.get(name);
      if (found !== undefined) return found;
      const made = make().finally(() => all.delete(name));
      all.set(name, made);
      return made;
    },
    settled: async (name) => {
      const wanted = [...all].filter(([one]) => name === undefined || one === name);
      await Promise.allSettled(wanted.map(([, promise]) => promise));
    },
  };
}
