import type { Build } from '../../api/resources/build.ts';
import type { PageContext } from '../page-context.ts';
import { Failures, type ShownFailure } from './failures.tsx';
import { Overview } from './overview.tsx';

export interface ReportParts {
  readonly build: Build;
  readonly failures: readonly ShownFailure[];
  /** Failed jobs beside those. */
  readonly more: number;
  /** Ids of the jobs whose logs are on the page. */
  readonly withLog: ReadonlySet<string>;
  readonly context: PageContext;
}

/** A report but for its logs. */
export const ReportBody = ({ build, failures, more, withLog, context }: ReportParts) => (
  <>
    <Overview build={build} context={context} />
    <Failures failures={failures} more={more} withLog={withLog} />
    {withLog.size > 0 && <h2 id="logs">Logs</h2>}
  </>
);
