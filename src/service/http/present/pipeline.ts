import type { ServiceContext } from '../../service-context.ts';
import type { Organization, Pipeline } from '../../domain/records.ts';
import type { Urls } from '../../urls.ts';
import { graphqlId, iso, spaced } from './scalars.ts';

export interface PipelineView {
  /** Whether to show the webhook URL, which is secret. */
  readonly mayEdit: boolean;
  /** Whether to use the time format of single resources, which differs from the format in lists. */
  readonly single: boolean;
}

/** See "Pipeline" in the specification. */
export const presentPipeline = (
  { store, urls }: Pick<ServiceContext, 'store' | 'urls'>,
  organization: Organization,
  pipeline: Pipeline,
  { mayEdit, single }: PipelineView,
): object => ({
  id: pipeline.id,
  graphql_id: graphqlId('Pipeline', pipeline.id),
  url: urls.pipeline(organization.slug, pipeline.slug),
  web_url: urls.webPipeline(organization.slug, pipeline.slug),
  name: pipeline.name,
  slug: pipeline.slug,
  repository: pipeline.repository,
  branch_configuration: pipeline.branchConfiguration,
  default_branch: pipeline.defaultBranch,
  provider: {
    id: 'local',
    webhook_url: mayEdit ? webhookOf(urls, pipeline) : '',
    settings: pipeline.settings,
  },
  skip_queued_branch_builds: pipeline.skipQueuedBranchBuilds,
  skip_queued_branch_builds_filter: pipeline.skipQueuedBranchBuildsFilter,
  cancel_running_branch_builds: pipeline.cancelRunningBranchBuilds,
  cancel_running_branch_builds_filter: pipeline.cancelRunningBranchBuildsFilter,
  builds_url: `${urls.pipeline(organization.slug, pipeline.slug)}/builds`,
  badge_url: urls.badge(pipeline.id),
  created_at: single ? spaced(pipeline.createdAt) : iso(pipeline.createdAt),
  ...store.builds.counts(pipeline.id),
});

/** The port in the stored URL may be out of date. */
export const webhookOf = ({ base }: Urls, { webhookUrl }: Pipeline): string =>
  webhookUrl.replace(/^http:\/\/127\.0\.0\.1:\d+(?=\/webhooks\/)/, base);

/** A single pipeline with all public fields, including fields that are not in the specification. */
export const presentWholePipeline = (
  service: Pick<ServiceContext, 'store' | 'urls'>,
  organization: Organization,
  pipeline: Pipeline,
  mayEdit: boolean,
): object => ({
  ...presentPipeline(service, organization, pipeline, { mayEdit, single: true }),
  description: pipeline.description ?? null,
  // Our addition to the API: commands that run in or below this directory use this pipeline.
  directory: pipeline.folder,
  // Our addition to the API: `cictl run FILE` creates one pipeline per file.
  pipeline_file: pipeline.file,
  ...{ cluster_id: null, visibility: 'private', tags: null, created_by: null, archived_at: null },
  ...{ env: {}, steps: [] },
});
