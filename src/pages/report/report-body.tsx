import { raw } from 'hono/html';
import { buildParts } from '../build/build-parts.tsx';
import type { BuildView } from '../build/build-view.ts';
import { ReportAnnotations, type AllAnnotations } from './annotations.tsx';
import { Failures, type ShownFailure } from './failures.tsx';

export interface ReportParts {
  readonly view: BuildView;
  readonly failures: readonly ShownFailure[];
  /** Failed jobs beside those. */
  readonly more: number;
  readonly annotations: AllAnnotations;
  /** Why the annotations could not be read. */
  readonly annotationsError: string | undefined;
  /** Ids of the jobs whose logs are on the page. */
  readonly withLog: ReadonlySet<string>;
}

/** The page of the build, with what failed before all else; but for its logs. */
export function ReportBody(parts: ReportParts) {
  const { view, failures, more, annotations, annotationsError, withLog } = parts;
  const { sections } = buildParts(view);
  return (
    <>
      {raw(sections.get('head') ?? '')}
      <Failures failures={failures} more={more} withLog={withLog} />
      {annotationsError !== undefined && <p class="bad">{annotationsError}</p>}
      <ReportAnnotations {...annotations} />
      {raw(sections.get('waterfall') ?? '')}
      {raw(sections.get('jobs') ?? '')}
      {withLog.size > 0 && <h2 id="logs">Logs</h2>}
    </>
  );
}
