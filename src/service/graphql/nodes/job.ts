import type { Job, JobType, Tree } from '../../domain/records.ts';
import { nameOf } from '../../http/present/job.ts';
import { graphqlId, isoOrNull } from '../../http/present/format.ts';
import { organizationSeen, pipelineSeen, type GraphqlContext } from '../context.ts';
import { commandMembers } from './command.ts';
import { stateOf } from './job-state.ts';
import { userNode } from './user.ts';

const typeNames: Readonly<Record<JobType, string>> = {
  script: 'JobTypeCommand',
  waiter: 'JobTypeWait',
  manual: 'JobTypeBlock',
  trigger: 'JobTypeTrigger',
};

/** Kinds of jobs share this object; what a kind does not have is never asked for. */
export function jobNode(viewpoint: GraphqlContext, tree: Tree, job: Job): object {
  const step = tree.plan.steps[job.step];
  return {
    __typename: typeNames[job.type],
    id: graphqlId('Job', job.id),
    uuid: job.id,
    state: stateOf(job.state),
    label: nameOf(step),
    url: () => urlOf(viewpoint, tree, job),
    build: () => viewpoint.nodes.build(viewpoint, tree.build.id),
    step: { uuid: job.stepId, key: step?.key ?? null },
    retried: job.retriedInJobId !== null,
    retriesCount: job.retriesCount,
    retryType: job.retryType?.toUpperCase() ?? null,
    retrySource: () => sourceOf(viewpoint, tree, job),
    isUnblockable: job.state === 'blocked',
    unblockedAt: isoOrNull(job.unblockedAt),
    unblockedBy: () => userNode(viewpoint, job.unblockedById),
    async: false,
    ...commandMembers(viewpoint, tree, job),
  };
}

function urlOf(viewpoint: GraphqlContext, { build }: Tree, job: Job): string {
  const organization = organizationSeen(viewpoint, build.organizationId);
  const pipeline = pipelineSeen(viewpoint, build.pipelineId);
  const { urls } = viewpoint.core;
  return urls.webJob(organization?.slug ?? '', pipeline?.slug ?? '', build.number, job.id);
}

/** The job in whose place this one has come. */
function sourceOf(viewpoint: GraphqlContext, tree: Tree, { retrySource }: Job): object | null {
  const source = tree.jobs.find(({ id }) => id === retrySource?.jobId);
  return source === undefined ? null : jobNode(viewpoint, tree, source);
}
