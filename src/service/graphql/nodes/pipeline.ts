import type { Pipeline, Organization } from '../../domain/records.ts';
import { mayEdit } from '../../http/lookups.ts';
import { graphqlId, iso } from '../../http/present/scalars.ts';
import { webhookOf } from '../../http/present/pipeline.ts';
import { readPipelineFile } from '../../scheduler/pipeline-file.ts';
import {
  connection,
  idOf,
  instant,
  nothing,
  type Connection,
  type PageArguments,
} from '../connection.ts';
import { visibleOrganization, visibleOrganizationNode, type GraphqlContext } from '../context.ts';
import { buildsOf, type BuildArguments } from './builds.ts';
import { jobsOf, type JobArguments } from './job.ts';

/** Fields that this service does not support, such as the color and the cluster, are null. */
export function pipelineNode(context: GraphqlContext, pipeline: Pipeline): object {
  const organization = visibleOrganization(context, pipeline.organizationId);
  const { service, caller } = context;
  const { urls } = service;
  // See "Webhook URL rule" in the specification. Null without permission, as in the public service.
  const webhookUrl = (): string | null =>
    mayEdit(service, caller, pipeline.organizationId) ? webhookOf(urls, pipeline) : null;
  return {
    __typename: 'Pipeline',
    id: graphqlId('Pipeline', pipeline.id),
    uuid: pipeline.id,
    name: pipeline.name,
    slug: pipeline.slug,
    url: urls.webPipeline(organization?.slug ?? '', pipeline.slug),
    badgeURL: urls.badge(pipeline.id),
    description: pipeline.description ?? null,
    webhookURL: webhookUrl,
    defaultBranch: pipeline.defaultBranch,
    branchConfiguration: pipeline.branchConfiguration,
    commitShortLength: 10,
    repository: {
      url: pipeline.repository,
      provider: { __typename: 'RepositoryProviderUnknown', name: 'local', webhookUrl },
    },
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
    organization: () => visibleOrganizationNode(context, pipeline.organizationId),
    builds: (given: BuildArguments) =>
      buildsOf(context, { pipelineId: pipeline.id }, withDefaultBranch(given, pipeline)),
    jobs: (given: JobArguments) => jobsOf(context, { pipelineId: pipeline.id }, given),
    metrics: nothing,
    teams: nothing,
  };
}

/** `%default` stands for the default branch. */
const withDefaultBranch = (args: BuildArguments, { defaultBranch }: Pipeline): BuildArguments =>
  args.branch
    ? { ...args, branch: args.branch.map((one) => (one === '%default' ? defaultBranch : one)) }
    : args;

export interface PipelineArguments extends PageArguments {
  readonly archived?: boolean | null;
  readonly search?: string | null;
  readonly repository?: { readonly url: string } | null;
  readonly order?: 'NAME' | 'NAME_WITH_FAVORITES_FIRST' | 'RECENTLY_CREATED' | 'RELEVANCE' | null;
  readonly favorite?: boolean | null;
  readonly tags?: readonly string[] | null;
  readonly team?: unknown;
  readonly cluster?: string | null;
  readonly createdAtFrom?: string | null;
  readonly createdAtTo?: string | null;
}

/** Newest first. */
export function pipelinesOf(
  context: GraphqlContext,
  { id }: Organization,
  args: PipelineArguments,
): Connection {
  if (asksForAbsent(args)) return nothing();
  const isWanted = filterOf(args);
  const found = context.service.store.pipelines.list(id).filter(isWanted).reverse();
  if (args.order?.startsWith('NAME')) found.sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return connection(found, args, idOf, (one) => context.nodes.pipeline(context, one));
}

/** Whether a filter excludes every pipeline: none has a tag, a team or a cluster, for example. */
const asksForAbsent = ({ archived, favorite, tags, team, cluster }: PipelineArguments): boolean =>
  archived === true ||
  favorite === true ||
  (tags ?? []).length > 0 ||
  Boolean(team) ||
  Boolean(cluster);

function filterOf(args: PipelineArguments): (pipeline: Pipeline) => boolean {
  const search = (args.search ?? '').toLowerCase();
  const from = instant(args.createdAtFrom) ?? -Infinity;
  const to = instant(args.createdAtTo) ?? Infinity;
  return ({ name, slug, repository, createdAt }) =>
    `${name} ${slug}`.toLowerCase().includes(search) &&
    (!args.repository || repository === args.repository.url) &&
    createdAt >= from &&
    createdAt < to;
}
