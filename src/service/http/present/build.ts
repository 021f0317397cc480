import type { ServiceContext } from '../../service-context.ts';
import { isCurrent } from '../../domain/job-states.ts';
import type { Job, Organization, Pipeline, Tree } from '../../domain/records.ts';
import { elementsOf, type Elements } from '../json-in-turns.ts';
import { onceForEach, agentWaits, presentJob } from './job.ts';
import { agentPresenter, type PresentAgent } from './agent.ts';
import { graphqlId, iso, isoOrNull } from './scalars.ts';
import { presentPipeline, type PipelineView } from './pipeline.ts';
import { presentUser } from './organization.ts';

export interface BuildView extends PipelineView {
  readonly includeRetriedJobs: boolean;
  readonly jobStates?: readonly string[] | undefined;
  /** Not in the specification. Omits the jobs, which are the largest part of the response. */
  readonly excludeJobs?: boolean;
  readonly excludePipeline?: boolean;
}

export interface BuildLocation {
  readonly organization: Organization;
  readonly pipeline: Pipeline;
}

/** See "Build" in the specification. Includes newer fields of the public service. */
export const presentBuild = (
  service: ServiceContext,
  ...build: Parameters<ReturnType<typeof buildPresenter>>
): object => buildPresenter(service)(...build);

/** Presents the builds in a list. Shared parts, such as the pipeline, are presented once. */
export function buildPresenter(service: ServiceContext) {
  const users = onceForEach<object | null>();
  const pipelines = onceForEach<object>();
  const agents = onceForEach<PresentAgent>();
  const waitsOf = agentWaits(service);
  const { urls, store } = service;
  const creatorOf = (id: string): object | null => {
    const user = store.accounts.user(id);
    return user === undefined ? null : presentUser(service, user);
  };
  return (location: BuildLocation, tree: Tree, view: BuildView): object => {
    const { organization, pipeline } = location;
    const { build } = tree;
    const { creatorId, rebuiltFrom, triggeredFrom } = build;
    const presentAgent = agents(organization.id, () => agentPresenter(service, organization, view));
    const present = (job: Job): object =>
      presentJob(service, location, tree, job, view, presentAgent, waitsOf);
    const buildUrl = (number: number): string =>
      urls.build(organization.slug, pipeline.slug, number);
    return {
      id: build.id,
      graphql_id: graphqlId('Build', build.id),
      url: buildUrl(build.number),
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
      creator: creatorId === null ? null : users(creatorId, () => creatorOf(creatorId)),
      ...(!view.excludeJobs && { jobs: listOf(shownOf(tree.jobs, view), present) }),
      created_at: iso(build.createdAt),
      scheduled_at: iso(build.scheduledAt),
      started_at: isoOrNull(build.startedAt),
      finished_at: isoOrNull(build.finishedAt),
      meta_data: build.metaData,
      pull_request: build.pullRequest,
      rebuilt_from: rebuiltFrom && {
        ...{ id: rebuiltFrom.id, number: rebuiltFrom.number, url: buildUrl(rebuiltFrom.number) },
      },
      triggered_from: triggeredFrom && {
        build_id: triggeredFrom.buildId,
        build_number: triggeredFrom.number,
        build_pipeline_slug: triggeredFrom.pipelineSlug,
      },
      ...(!view.excludePipeline && {
        pipeline: pipelines(pipeline.id, () =>
          presentPipeline(service, organization, pipeline, view),
        ),
      }),
    };
  };
}

const listOf = (jobs: readonly Job[], present: (job: Job) => object): Elements | object[] =>
  jobs.length > fewJobs ? elementsOf(jobs, present) : jobs.map(present);

const fewJobs = 30;

const shownOf = (jobs: readonly Job[], { includeRetriedJobs, jobStates }: BuildView): Job[] =>
  jobs
    .filter((job) => includeRetriedJobs || isCurrent(job))
    .filter(({ state }) => jobStates?.includes(state) ?? true);
