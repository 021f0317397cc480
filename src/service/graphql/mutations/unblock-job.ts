import { unblockJob } from '../../domain/unblock.ts';
import { readUnblocking } from '../../http/routes/jobs.ts';
import { findJob } from '../find.ts';
import { readJsonInput } from '../json-input.ts';
import type { GraphqlContext } from '../context.ts';
import { jobAt } from './locate.ts';

interface UnblockInput {
  readonly id: string;
  readonly fields?: unknown;
}

/** `jobTypeBlockUnblock`. */
export function unblockJobById(context: GraphqlContext, { id, fields }: UnblockInput): object {
  const { service, caller } = context;
  const { organization, build, job } = jobAt(context, id);
  const body = { fields: readJsonInput('fields', fields) };
  const unblocking = readUnblocking(service, organization, caller, body);
  service.engine.change(build.id, (tree) =>
    unblockJob(tree, job.id, unblocking, service.clock.now()),
  );
  return { jobTypeBlock: () => findJob(context, job.id) };
}
