import type { Job, JobType, Tree } from '../../domain/records.ts';
import { nameOf } from '../../http/present/job.ts';
import { graphqlId, isoOrNull } from '../../http/present/scalars.ts';
import { visibleOrganization, visiblePipeline, type GraphqlContext } from '../context.ts';
import { commandMembers } from './command.ts';
import { jobStateOf } from './job-state.ts';
import { userNode } from './user.ts';

const typeNames: Readonly<Record<JobType, string>> = {
  script: 'JobTypeCommand',
  waiter: 'JobTypeWait',
  manual: 'JobTypeBlock',
  trigger: 'JobTypeTrigger',
};

/** Kinds of jobs share this object; what a kind does not have is never asked for. */
export function jobNode(context: GraphqlContext, tree: Tree, job: Job): object {
  const step = tree.plan.steps[job.step];
  return {
    __typename: typeNames[job.type],
    id: graphqlId('Job', job.id),
    uuid: job.id,
    state: jobStateOf(job.state),
    label: nameOf(step),
    url: () => urlOf(context, tree, job),
    build: () => context.nodes.build(context, tree.build.id),
    step: { uuid: job.stepId, key: step?.key ?? null },
    retried: job.retriedInJobId !== null,
    retriesCount: job.retriesCount,
    retryType: job.retryType?.toUpperCase() ?? null,
    retrySource: () => sourceOf(context, tree, job),
    isUnblockable: job.state === 'blocked',
    unblockedAt: isoOrNull(job.unblockedAt),
    unblockedBy: () => userNode(context, job.unblockedById),
    async: step?.type === 'trigger' && step.async,
    triggered: () => job.triggered && context.nodes.build(context, job.triggered.buildId),
    ...commandMembers(context, tree, job),
  };
}

function urlOf(context: GraphqlContext, { build }: Tree, job: Job): string {
  const organization = visibleOrganization(context, build.organizationId);
  const pipeline = visiblePipeline(context, build.pipelineId);
  const { urls } = context.service;
  return urls.webJob(organization?.slug ?? '', pipeline?.slug ?? '', build.number, job.id);
}

/** The job in whose location this one has come. */
function sourceOf(context: GraphqlContext, tree: Tree, { retrySource }: Job): object | null {
  const source = tree.jobs.find(({ id }) => id === retrySource?.jobId);
  return source === undefined ? null : jobNode(context, tree, source);
}
