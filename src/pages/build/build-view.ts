import type { Annotation } from '../../api/resources/annotation.ts';
import type { Build } from '../../api/resources/build.ts';
import type { Job } from '../../api/resources/job.ts';
import type { PageContext } from '../page-document.tsx';
import { allJobs, type WantedJobs } from './job-list.tsx';
import { timelineOf, type Timeline } from '../timeline.ts';

/** What the parts of the page of a build are made of. */
export interface BuildView {
  /** With all executions of its jobs. */
  readonly build: Build;
  readonly annotations: readonly Annotation[];
  readonly timeline: Timeline;
  readonly context: PageContext;
  /** Where a job has its own page; undefined where it has none. */
  readonly jobHref: (job: Job) => string | undefined;
  /** Path of the build for its forms and pages; undefined where it has none. */
  readonly path: string | undefined;
  /** Which jobs are listed. */
  readonly wanted: WantedJobs;
}

/** `jobHref` is the address that the API gives where no other is given. */
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
