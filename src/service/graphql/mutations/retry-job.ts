import { retryJob } from '../../domain/retry.ts';
import { findJob } from '../find.ts';
import type { GraphqlContext } from '../context.ts';
import { jobAt } from './places.ts';

/** `jobTypeCommandRetry`. */
export function retry(viewpoint: GraphqlContext, { id }: { readonly id: string }): object {
  const { engine, clock, newId } = viewpoint.core;
  const { build, job } = jobAt(viewpoint, id);
  const { jobs } = engine.change(build.id, (tree) => retryJob(tree, job.id, clock.now(), newId));
  const next = jobs.find((one) => one.id === job.id)?.retriedInJobId ?? '';
  return {
    jobTypeCommand: () => findJob(viewpoint, job.id),
    retriedInJobTypeCommand: () => findJob(viewpoint, next),
  };
}
