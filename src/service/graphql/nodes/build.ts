import { findJob } from '../../domain/find-job.ts';
import type { Build } from '../../domain/records.ts';
import { graphqlId, iso, isoOrNull } from '../../http/present/scalars.ts';
import { connection, type PageArguments } from '../connection.ts';
import {
  visibleBuild,
  visibleOrganization,
  visiblePipeline,
  visibleTree,
  type GraphqlContext,
} from '../context.ts';
import { annotationsOf, type AnnotationArguments } from './annotation.ts';
import { creatorNode } from './creator.ts';
import { jobsOf, type JobArguments } from './jobs.ts';
import { userNode } from './user.ts';

/** Null where there is none, or none that the caller may see. */
export function buildNode(context: GraphqlContext, id: string): object | null {
  const build = visibleBuild(context, id);
  return build === undefined ? null : nodeOf(context, build);
}

function nodeOf(context: GraphqlContext, build: Build): object {
  const pipeline = visiblePipeline(context, build.pipelineId);
  const organization = visibleOrganization(context, build.organizationId);
  const { urls } = context.service;
  return {
    __typename: 'Build',
    id: graphqlId('Build', build.id),
    uuid: build.id,
    number: build.number,
    url: urls.webBuild(organization?.slug ?? '', pipeline?.slug ?? '', build.number),
    state: build.state.toUpperCase(),
    blocked: build.blocked,
    blockedState: build.blockedState === '' ? null : build.blockedState.toUpperCase(),
    branch: build.branch,
    commit: build.commit,
    message: build.message,
    env: Object.entries(build.env).map(([name, value]) => `${name}=${value}`),
    source: { __typename: sources[build.source], name: build.source },
    cancelReason: build.cancelReason,
    canceledAt: isoOrNull(build.canceledAt ?? null),
    canceledBy: () => userNode(context, build.canceledById),
    createdAt: iso(build.createdAt),
    scheduledAt: iso(build.scheduledAt),
    startedAt: isoOrNull(build.startedAt),
    finishedAt: isoOrNull(build.finishedAt),
    createdBy: () => creatorNode(context, build),
    pullRequest: build.pullRequest,
    rebuiltFrom: () => build.rebuiltFrom && buildNode(context, build.rebuiltFrom.id),
    triggeredFrom: () => triggeringJob(context, build),
    pipeline: () => pipeline && context.nodes.pipeline(context, pipeline),
    organization: () => organization && context.nodes.organization(context, organization),
    metaData: (given: PageArguments) => metaDataOf(build, given),
    jobs: (given: JobArguments) => jobsOf(context, { buildId: build.id }, given),
    annotations: (given: AnnotationArguments) => annotationsOf(context, build.id, given),
  };
}

function triggeringJob(context: GraphqlContext, { triggeredFrom }: Build): object | null {
  const tree = triggeredFrom === null ? undefined : visibleTree(context, triggeredFrom.buildId);
  const job = tree && findJob(tree, triggeredFrom?.jobId ?? '');
  return tree && job ? context.nodes.job(context, tree, job) : null;
}

const sources: Readonly<Record<Build['source'], string>> = {
  api: 'BuildSourceAPI',
  ui: 'BuildSourceFrontend',
  schedule: 'BuildSourceSchedule',
  trigger_job: 'BuildSourceTriggerJob',
  webhook: 'BuildSourceWebhook',
};

const metaDataOf = ({ metaData }: Build, args: PageArguments) =>
  connection(
    Object.entries(metaData),
    args,
    ([key]) => key,
    ([key, value]) => ({ key, value }),
  );
