import type { Pipeline } from '../../domain/records.ts';
import { graphqlId, iso } from '../../http/present/parts.ts';
import { organizationSeen, type Viewpoint } from '../viewpoint.ts';
import { organizationNode } from './accounts.ts';
import { buildsOf, type BuildArguments } from './builds.ts';

export function pipelineNode(viewpoint: Viewpoint, pipeline: Pipeline): object {
  const organization = organizationSeen(viewpoint, pipeline.organizationId);
  const { urls } = viewpoint.core;
  return {
    __typename: 'Pipeline',
    id: graphqlId('Pipeline', pipeline.id),
    uuid: pipeline.id,
    name: pipeline.name,
    slug: pipeline.slug,
    url: urls.webPipeline(organization?.slug ?? '', pipeline.slug),
    defaultBranch: pipeline.defaultBranch,
    branchConfiguration: pipeline.branchConfiguration,
    repository: { url: pipeline.repository },
    createdAt: iso(pipeline.createdAt),
    organization: () => organization && organizationNode(viewpoint, organization),
    builds: (given: BuildArguments) => buildsOf(viewpoint, { pipelineId: pipeline.id }, given),
  };
}
