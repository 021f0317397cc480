import { findBuild } from '../http/lookups.ts';
import type { PageCall } from './page-call.ts';

export interface WatchedBuild {
  /** Of all that its page shows: another one where something has changed. */
  readonly version: () => string;
  /** Resolves at the next change, at most after so many milliseconds. */
  readonly next: (ms: number) => Promise<void>;
}

/** The build of the address, to be watched. Throws `ApiError` 404. */
export function locateBuild({ service, params, caller }: PageCall): WatchedBuild {
  const { org = '', pipeline = '', number = '' } = params;
  const { build } = findBuild(service, { params: { org, pipeline, number }, caller });
  const { feed } = service.engine;
  return {
    version: () => String(feed.since(build.id, null).version),
    next: (ms) => feed.next(build.id, ms),
  };
}
