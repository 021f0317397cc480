import type { Annotation } from '../../api/resources/annotation.ts';
import type { Build } from '../../api/resources/build.ts';
import type { Job } from '../../api/resources/job.ts';
import type { PageContext } from '../page-document.tsx';
import { allJobs, type WantedJobs } from './job-list.tsx';
import { timelineOf, type Timeline } from '../timeline.ts';

export interface BuildView {
  /** Includes all executions of each job. */
  readonly build: Build;
  readonly annotations: readonly Annotation[];
  readonly timeline: Timeline;
  readonly context: PageContext;
  readonly jobHref: (job: Job) => string | undefined;
  readonly path: string | undefined;
  readonly wanted: WantedJobs;
}

/** `jobHref` defaults to the job's `web_url`. */
export function buildView(
  build: Build,
  annotations: readonly Annotation[],
  context: PageContext,
  own: Partial<Pick<BuildView, 'jobHref' | 'path' | 'wanted'>> = {},
): BuildView {
  return {
    ...{ build, annotations, context, path: own.path, wanted: own.wanted ?? allJobs },
    timeline: timelineOf(build.jobs ?? [], context.now),
    jobHref: own.jobHref ?? (({ web_url: address }) => context.link(address)),
  };
}
