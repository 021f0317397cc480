import type { ServiceContext } from '../../service-context.ts';
import { isCurrent } from '../../domain/job-states.ts';
import type { Build, Organization, Pipeline, Tree } from '../../domain/records.ts';
import { agentPresenter } from './agent.ts';
import { presentJob } from './job.ts';
import { graphqlId, iso, isoOrNull } from './scalars.ts';
import { presentPipeline, type PipelineView } from './pipeline.ts';
import { presentUser } from './user.ts';

export interface BuildView extends PipelineView {
  /** All executions of each step, not only the newest. */
  readonly includeRetriedJobs: boolean;
  /** Only jobs in these states. */
  readonly jobStates?: readonly string[] | undefined;
  /** Beyond the specification: leaves the larger part of the response out. */
  readonly excludeJobs?: boolean;
  readonly excludePipeline?: boolean;
}

export interface BuildLocation {
  readonly organization: Organization;
  readonly pipeline: Pipeline;
}

/** Specification, "Build", with the newer members of the public service. */
export function presentBuild(
  service: ServiceContext,
  location: BuildLocation,
  tree: Tree,
  view: BuildView,
): object {
  const { build } = tree;
  const { urls } = service;
  const { slug: org } = location.organization;
  const { slug } = location.pipeline;
  return {
    id: build.id,
    graphql_id: graphqlId('Build', build.id),
    url: urls.build(org, slug, build.number),
    web_url: urls.webBuild(org, slug, build.number),
    number: build.number,
    state: build.state,
    cancel_reason: build.cancelReason,
    blocked: build.blocked,
    blocked_state: build.blockedState,
    message: build.message,
    commit: build.commit,
    branch: build.branch,
    env: build.env,
    source: build.source,
    author: build.author,
    creator: creator(service, build),
    ...(!view.excludeJobs && { jobs: jobsOf(service, location, tree, view) }),
    created_at: iso(build.createdAt),
    scheduled_at: iso(build.scheduledAt),
    started_at: isoOrNull(build.startedAt),
    finished_at: isoOrNull(build.finishedAt),
    meta_data: build.metaData,
    pull_request: build.pullRequest,
    rebuilt_from: rebuiltFrom(service, location, build),
    triggered_from: triggeredFrom(build),
    ...(!view.excludePipeline && {
      pipeline: presentPipeline(service, location.organization, location.pipeline, view),
    }),
  };
}

const jobsOf = (
  service: ServiceContext,
  location: BuildLocation,
  tree: Tree,
  view: BuildView,
): object[] => {
  const presentAgent = agentPresenter(service, location.organization, view);
  return tree.jobs
    .filter((job) => view.includeRetriedJobs || isCurrent(job))
    .filter(({ state }) => view.jobStates?.includes(state) ?? true)
    .map((job) => presentJob(service, location, tree, job, view, presentAgent));
};

function creator(service: ServiceContext, { creatorId }: Build): object | null {
  const user = creatorId === null ? undefined : service.store.accounts.user(creatorId);
  return user === undefined ? null : presentUser(service, user);
}

function rebuiltFrom(
  { urls }: ServiceContext,
  { organization, pipeline }: BuildLocation,
  build: Build,
): object | null {
  if (build.rebuiltFrom === null) return null;
  const { id, number } = build.rebuiltFrom;
  return { id, number, url: urls.build(organization.slug, pipeline.slug, number) };
}

const triggeredFrom = ({ triggeredFrom: from }: Build): object | null =>
  from && {
    build_id: from.buildId,
    build_number: from.number,
    build_pipeline_slug: from.pipelineSlug,
  };
