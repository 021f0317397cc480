/**
 * The status by which agents of all versions see that asking again is of no use. Those before version 4 send
 * what is refused by another one again for minutes.
 */
export function finalStatus(status: number, path: string, userAgent = ''): number {
  if (!refusals.has(status) || path.startsWith('/local/')) return status;
  // What the protocol has as its word.
  if (path.endsWith('/promise_failure')) return status;
  if (path.endsWith('/pipelines')) return 422;
  // Programs other than agents get the status that the API documents.
  if (path.endsWith('/artifacts') && !userAgent.startsWith('buildkite-agent/')) return status;
  if (/\/data\/set(-batch)?$/.test(path) && /^buildkite-agent\/[0-3]\./.test(userAgent)) return 404;
  return 400;
}

const refusals: ReadonlySet<number> = new Set([400, 413, 422]);
