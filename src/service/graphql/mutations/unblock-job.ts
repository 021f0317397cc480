import { unblockJob } from '../../domain/unblock.ts';
import { readUnblocking } from '../../http/bodies/unblocking.ts';
import { findJob } from '../find.ts';
import { readJson } from '../json-input.ts';
import type { GraphqlContext } from '../context.ts';
import { jobAt } from './places.ts';

interface UnblockInput {
  readonly id: string;
  readonly fields?: unknown;
}

/** `jobTypeBlockUnblock`. */
export function unblock(viewpoint: GraphqlContext, { id, fields }: UnblockInput): object {
  const { core, caller } = viewpoint;
  const { organization, build, job } = jobAt(viewpoint, id);
  const body = { fields: readJson('fields', fields) };
  const unblocking = readUnblocking(core, organization, caller, body);
  core.engine.change(build.id, (tree) => unblockJob(tree, job.id, unblocking, core.clock.now()));
  return { jobTypeBlock: () => findJob(viewpoint, job.id) };
}
