/** When what began then has ended: not before it, though the clock was set back meanwhile. */
export const endTime = ({ startedAt }: { readonly startedAt: number | null }, at: number): number =>
  Math.max(startedAt ?? at, at);
