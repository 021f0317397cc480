import { duration } from '../../render/time.ts';

/** Seconds in words; a dash where nothing was measured. */
export const took = (seconds: number | null): string =>
  seconds === null ? '–' : duration(seconds * 1000);
