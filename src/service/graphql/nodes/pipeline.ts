import type { Pipeline } from '../../domain/records.ts';
import { mayEdit } from '../../http/lookups.ts';
import { graphqlId, iso } from '../../http/present/scalars.ts';
import { webhookOf } from '../../http/present/pipeline.ts';
import { readPipelineFile } from '../../scheduler/pipeline-file.ts';
import { nothing } from '../connection.ts';
import { visibleOrganization, type GraphqlContext } from '../context.ts';
import { buildsOf, type BuildArguments } from './builds.ts';
import { jobsOf, type JobArguments } from './jobs.ts';

/** What is not here is null: a pipeline of this service has no colour, cluster, template, … */
export function pipelineNode(context: GraphqlContext, pipeline: Pipeline): object {
  const organization = visibleOrganization(context, pipeline.organizationId);
  const { urls } = context.service;
  const webhook = (): string | null => webhookSeen(context, pipeline);
  return {
    __typename: 'Pipeline',
    id: graphqlId('Pipeline', pipeline.id),
    uuid: pipeline.id,
    name: pipeline.name,
    slug: pipeline.slug,
    url: urls.webPipeline(organization?.slug ?? '', pipeline.slug),
    badgeURL: urls.badge(pipeline.id),
    description: pipeline.description ?? null,
    webhookURL: webhook,
    defaultBranch: pipeline.defaultBranch,
    branchConfiguration: pipeline.branchConfiguration,
    commitShortLength: 10,
    repository: { url: pipeline.repository, provider: providerOf(webhook) },
    steps: { yaml: () => readPipelineFile(pipeline)?.text ?? null },
    tags: [],
    archived: false,
    favorite: false,
    public: false,
    visibility: 'PRIVATE',
    allowRebuilds: true,
    cancelIntermediateBuilds: pipeline.cancelRunningBranchBuilds,
    cancelIntermediateBuildsBranchFilter: pipeline.cancelRunningBranchBuildsFilter,
    skipIntermediateBuilds: pipeline.skipQueuedBranchBuilds,
    skipIntermediateBuildsBranchFilter: pipeline.skipQueuedBranchBuildsFilter,
    createdAt: iso(pipeline.createdAt),
    organization: () => organization && context.nodes.organization(context, organization),
    builds: (given: BuildArguments) =>
      buildsOf(context, { pipelineId: pipeline.id }, withDefaultBranch(given, pipeline)),
    jobs: (given: JobArguments) => jobsOf(context, { pipelineId: pipeline.id }, given),
    metrics: nothing,
    teams: nothing,
  };
}

/** Specification, "Webhook URL rule"; without permission the public service says null here. */
const webhookSeen = ({ service, caller }: GraphqlContext, pipeline: Pipeline): string | null =>
  mayEdit(service, caller, pipeline.organizationId) ? webhookOf(service.urls, pipeline) : null;

const providerOf = (webhookUrl: () => string | null): object => ({
  __typename: 'RepositoryProviderUnknown',
  name: 'local',
  webhookUrl,
});

/** `%default` stands for the default branch. */
const withDefaultBranch = (args: BuildArguments, { defaultBranch }: Pipeline): BuildArguments =>
  args.branch
    ? { ...args, branch: args.branch.map((one) => (one === '%default' ? defaultBranch : one)) }
    : args;
