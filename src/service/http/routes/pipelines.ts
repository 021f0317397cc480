// Beyond the specification: pipelines as the public API documents them.
import { repositoryName } from '../../../common/checkout.ts';
import type { ServiceContext } from '../../service-context.ts';
import type { Organization, Pipeline } from '../../domain/records.ts';
import { json } from '../response.ts';
import { findOrganization, findPipeline, mayEdit } from '../lookups.ts';
import { pageOf } from '../paging.ts';
import { presentWholePipeline } from '../present/pipeline.ts';
import { route, type Call, type Route } from '../route.ts';

const ofOrganization = '/v2/organizations/:org/pipelines';

export const publicPipelineRoutes: readonly Route[] = [
  route('GET', ofOrganization, 'read_pipelines', (call, service) => {
    const organization = findOrganization(service, call);
    const found = service.store.pipelines
      .list(organization.id)
      .filter(
        ({ name, repository }) =>
          holds(name, call.query.get('name')) &&
          holdsRepository(repository, call.query.get('repository')),
      );
    return pageOf(call, found, (pipeline) => present(service, call, organization, pipeline));
  }),
  route('GET', `${ofOrganization}/:pipeline`, 'read_pipelines', async (call, service) => {
    const { organization, pipeline } = findPipeline(service, call);
    const { readPipelineFile } = await import('../../scheduler/pipeline-file.ts');
    const configuration = readPipelineFile(pipeline)?.text ?? '';
    return json({ ...present(service, call, organization, pipeline), configuration });
  }),
];

const holds = (text: string, part: string | null): boolean =>
  text.toLowerCase().includes((part ?? '').toLowerCase());

/** Clients send the URL of their checkout, which may have another scheme or a token. */
const holdsRepository = (url: string, part: string | null): boolean =>
  holds(url, part) || (part !== null && repositoryName(url) === repositoryName(part));

const present = (
  service: ServiceContext,
  { caller }: Call,
  organization: Organization,
  pipeline: Pipeline,
): object =>
  presentWholePipeline(service, organization, pipeline, {
    mayEdit: mayEdit(service, caller, organization.id),
  });
