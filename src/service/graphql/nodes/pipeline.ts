import type { Pipeline } from '../../domain/records.ts';
import { mayEdit } from '../../http/lookups.ts';
import { graphqlId, iso } from '../../http/present/format.ts';
import { webhookOf } from '../../http/present/pipeline.ts';
import { pipelineFile } from '../../scheduler/pipeline-file.ts';
import { nothing } from '../connection.ts';
import { organizationSeen, type GraphqlContext } from '../context.ts';
import { buildsOf, type BuildArguments } from './builds.ts';
import { jobsOf, type JobArguments } from './jobs.ts';

/** What is not here is null: a pipeline of this service has no colour, cluster, template, … */
export function pipelineNode(viewpoint: GraphqlContext, pipeline: Pipeline): object {
  const organization = organizationSeen(viewpoint, pipeline.organizationId);
  const { urls } = viewpoint.core;
  const webhook = (): string | null => webhookSeen(viewpoint, pipeline);
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
    steps: { yaml: () => pipelineFile(pipeline)?.text ?? null },
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
    organization: () => organization && viewpoint.nodes.organization(viewpoint, organization),
    builds: (given: BuildArguments) =>
      buildsOf(viewpoint, { pipelineId: pipeline.id }, withDefaultBranch(given, pipeline)),
    jobs: (given: JobArguments) => jobsOf(viewpoint, { pipelineId: pipeline.id }, given),
    metrics: nothing,
    teams: nothing,
  };
}

/** Specification, "Webhook URL rule"; without permission the public service says null here. */
const webhookSeen = ({ core, caller }: GraphqlContext, pipeline: Pipeline): string | null =>
  mayEdit(core, caller, pipeline.organizationId) ? webhookOf(core.urls, pipeline) : null;

const providerOf = (webhookUrl: () => string | null): object => ({
  __typename: 'RepositoryProviderUnknown',
  name: 'local',
  webhookUrl,
});

/** `%default` stands for the default branch. */
const withDefaultBranch = (given: BuildArguments, { defaultBranch }: Pipeline): BuildArguments =>
  given.branch
    ? { ...given, branch: given.branch.map((one) => (one === '%default' ? defaultBranch : one)) }
    : given;
