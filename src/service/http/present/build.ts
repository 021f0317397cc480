import type { ServiceContext } from '../../service-context.ts';
import { isCurrent } from '../../domain/job-states.ts';
import type { Build, Job, Organization, Pipeline, Tree } from '../../domain/records.ts';
import { elementsOf, type Elements } from '../json-in-turns.ts';
import { onceForEach, agentWaits, presentJob } from './job.ts';
import { agentPresenter, type PresentAgent } from './agent.ts';
import { graphqlId, iso, isoOrNull } from './scalars.ts';
import { presentPipeline, type PipelineView } from './pipeline.ts';
import { presentUser } from './organization.ts';

export interface BuildView extends PipelineView {
  readonly includeRetriedJobs: boolean;
  /** Defaults to all states. */
  readonly jobStates?: readonly string[] | undefined;
  /** Beyond the specification: omits the largest part of the response. */
  readonly excludeJobs?: boolean;
  readonly excludePipeline?: boolean;
}

export interface BuildLocation {
  readonly organization: Organization;
  readonly pipeline: Pipeline;
}

type PresentBuild = (location: BuildLocation, tree: Tree, view: BuildView) => object;

/** Specification, "Build", with newer members of the public service. */
export const presentBuild = (
  service: ServiceContext,
  location: BuildLocation,
  tree: Tree,
  view: BuildView,
): object => buildPresenter(service)(location, tree, view);

/**
 * Presents the builds of one list. Shared parts, such as their pipeline, are only presented once.
 */
export function buildPresenter(service: ServiceContext): PresentBuild {
  const users = onceForEach<object | null>();
  const pipelines = onceForEach<object>();
  const agents = onceForEach<PresentAgent>();
  const waitsOf = agentWaits(service);
  const { urls, store } = service;
  const creatorOf = (id: string): object | null => {
    const user = store.accounts.user(id);
    return user === undefined ? null : presentUser(service, user);
  };
  return (location, { build, plan, jobs }, view) => {
    const { organization, pipeline } = location;
    const presentAgent = agents(organization.id, () => agentPresenter(service, organization, view));
    return {
      id: build.id,
      graphql_id: graphqlId('Build', build.id),
      url: urls.build(organization.slug, pipeline.slug, build.number),
      web_url: urls.webBuild(organization.slug, pipeline.slug, build.number),
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
      creator:
        build.creatorId === null
          ? null
          : users(build.creatorId, () => creatorOf(build.creatorId ?? '')),
      ...(!view.excludeJobs && {
        jobs: listOf(shownOf(jobs, view), (job) =>
          presentJob(service, location, { build, plan, jobs }, job, view, presentAgent, waitsOf),
        ),
      }),
      created_at: iso(build.createdAt),
      scheduled_at: iso(build.scheduledAt),
      started_at: isoOrNull(build.startedAt),
      finished_at: isoOrNull(build.finishedAt),
      meta_data: build.metaData,
      pull_request: build.pullRequest,
      rebuilt_from: rebuiltFrom(service, location, build),
      triggered_from: triggeredFrom(build),
      ...(!view.excludePipeline && {
        pipeline: pipelines(pipeline.id, () =>
          presentPipeline(service, organization, pipeline, view),
        ),
      }),
    };
  };
}

/** Long lists are presented one by one while they are written. */
const listOf = (jobs: readonly Job[], present: (job: Job) => object): Elements | object[] =>
  jobs.length > fewJobs ? elementsOf(jobs, present) : jobs.map(present);

const fewJobs = 30;

const shownOf = (jobs: readonly Job[], { includeRetriedJobs, jobStates }: BuildView): Job[] =>
  jobs
    .filter((job) => includeRetriedJobs || isCurrent(job))
    .filter(({ state }) => jobStates?.includes(state) ?? true);

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
