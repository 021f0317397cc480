/** A share of 0 to 1 for people. What is not all is never `100%`, what is there never `0%`. */
export function percent(share: number | null): string | undefined {
  if (share === null) return undefined;
  if (share > 0 && share < 0.005) return '<1%';
  return `${share < 1 ? Math.min(99, Math.round(share * 100)) : 100}%`;
}
