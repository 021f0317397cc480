/** Where the built-in service gets its time: milliseconds since the epoch. Injected by tests. */
export interface LocalClock {
  now(): number;
}

export const systemClock: LocalClock = { now: () => Date.now() };
