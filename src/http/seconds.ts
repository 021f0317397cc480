/**
 * Milliseconds that a header gives in seconds, or undefined where it is none: `42`, `0.5`. A header
 * that came more than once (`42, 42`) counts once; where its values differ, the largest.
 */
export function headerSeconds(value: string | undefined): number | undefined {
  const texts = (value ?? '').split(',').map((text) => text.trim());
  if (!texts.every((text) => /^\d+(\.\d+)?$/.test(text))) return undefined;
  return Math.min(longestAsked, Math.max(...texts.map((text) => Number(text) * 1000)));
}

/** A year, in milliseconds: the upper limit of any requested wait. */
export const longestAsked = 365 * 24 * 60 * 60 * 1000;
