import { retryJob } from '../../domain/retry.ts';
import { findJob } from '../find.ts';
import type { GraphqlContext } from '../context.ts';
import { jobAt } from './locate.ts';

/** `jobTypeCommandRetry`. */
export function retryJobById(context: GraphqlContext, { id }: { readonly id: string }): object {
  const { engine, clock, newId } = context.service;
  const { build, job } = jobAt(context, id);
  const { jobs } = engine.change(build.id, (tree) => retryJob(tree, job.id, clock.now(), newId));
  const next = jobs.find((one) => one.id === job.id)?.retriedInJobId ?? '';
  return {
    jobTypeCommand: () => findJob(context, job.id),
    retriedInJobTypeCommand: () => findJob(context, next),
  };
}
