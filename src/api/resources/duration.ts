/** Duration in seconds, at least 0. Until `now` (ms) if not finished; null if not started. */
export function durationOf(element: Readonly<Record<string, unknown>>, now: number): number | null {
  const start = instant(element['started_at']);
  if (start === undefined) return null;
  return Math.max(0, (instant(element['finished_at']) ?? now) - start) / 1000;
}

const form = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: UTC|Z|[+-]\d\d:?\d\d)$/;

function instant(value: unknown): number | undefined {
  if (typeof value !== 'string' || !form.test(value)) return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}
