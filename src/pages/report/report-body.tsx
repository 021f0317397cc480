import { raw } from 'hono/html';
import { buildParts } from '../build/build-parts.tsx';
import type { BuildView } from '../build/build-view.ts';
import { Failures, type ShownFailure } from './failures.tsx';

export interface ReportParts {
  readonly view: BuildView;
  readonly failures: readonly ShownFailure[];
  /** Failed jobs beside those. */
  readonly more: number;
  /** Why the annotations could not be read. */
  readonly annotationsError: string | undefined;
  /** Ids of the jobs whose logs are on the page. */
  readonly withLog: ReadonlySet<string>;
}

/** The page of the build, with what failed before all else; but for its logs. */
export function ReportBody({ view, failures, more, annotationsError, withLog }: ReportParts) {
  const { head, ...others } = Object.fromEntries(buildParts(view).sections);
  return (
    <>
      {raw(head ?? '')}
      <Failures failures={failures} more={more} withLog={withLog} />
      {annotationsError !== undefined && <p class="bad">{annotationsError}</p>}
      {raw(Object.values(others).join(''))}
      {withLog.size > 0 && <h2 id="logs">Logs</h2>}
    </>
  );
}
