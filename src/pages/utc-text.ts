import { instant } from '../render/time.ts';

/** A time of the API for people, to the second: `2026-11-20 10:00:07 UTC`; what is no time as it is. */
export function utcText(text: string): string {
  const time = instant(text);
  if (time === undefined) return text;
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
