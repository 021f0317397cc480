/**
 * How much of the milliseconds since the last look nobody could have been heard: all of them where the
 * machine has slept or was far too busy. A look that is a little late is nothing of that kind, also
 * where agents say very often that they live.
 */
export const timeAway = (
  passed: number,
  { pace, heartbeat }: { readonly pace: number; readonly heartbeat: number },
): number => (passed > pace + heartbeat ? passed : 0);
