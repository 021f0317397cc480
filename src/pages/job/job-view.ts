import type { Artifact } from '../../api/resources/artifact.ts';
import type { Job } from '../../api/resources/job.ts';
import type { PageContext } from '../page-context.ts';

/** What the page of a job shows beside its log. */
export interface JobView {
  readonly job: Job;
  /** Other executions of the same job, the first one first, with this one. */
  readonly executions: readonly Job[];
  readonly artifacts: readonly Artifact[];
  /** The page's own address. */
  readonly path: string;
  readonly context: PageContext;
}
