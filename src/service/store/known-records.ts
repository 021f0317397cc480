/** Records that nearly each request looks up, in memory until one of them is written. */
export interface KnownRecords {
  /** What `read` gives, read once for a key; what is not there is looked for again. */
  get<T>(kind: string, key: string, read: () => T | undefined): T | undefined;
  /** Something is written, or could not be. */
  clear(): void;
}

const most = 1000;

/** Right as long as nobody else writes to the database. */
export function createKnownRecords(): KnownRecords {
  const known = new Map<string, unknown>();
  return {
    get: <T>(kind: string, key: string, read: () => T | undefined) => {
      const name = `${kind} ${key}`;
      // What stands under a kind was read by that kind's reader.
      const found = known.get(name) as T | undefined;
      if (found !== undefined) return found;
      const made = read();
      if (known.size >= most) known.clear();
      if (made !== undefined) known.set(name, made);
      return made;
    },
    clear: () => known.clear(),
  };
}
