// The public service's pipelines API, which is not in the specification.
import { repositoryName } from '../../../common/checkout.ts';
import { json } from '../response.ts';
import { findOrganization, findPipeline, mayEdit } from '../lookups.ts';
import { pageOf } from '../paging.ts';
import { presentWholePipeline } from '../present/pipeline.ts';
import { route, type Route } from '../route.ts';

const ofOrganization = '/v2/organizations/:org/pipelines';

export const publicPipelineRoutes: readonly Route[] = [
  route('GET', ofOrganization, 'read_pipelines', (call, service) => {
    const organization = findOrganization(service, call);
    const isEditable = mayEdit(service, call.caller, organization.id);
    const found = service.store.pipelines
      .list(organization.id)
      .filter(
        ({ name, repository }) =>
          holds(name, call.query.get('name')) &&
          holdsRepository(repository, call.query.get('repository')),
      );
    return pageOf(call, found, (one) =>
      presentWholePipeline(service, organization, one, isEditable),
    );
  }),
  route('GET', `${ofOrganization}/:pipeline`, 'read_pipelines', async (call, service) => {
    const { organization, pipeline } = findPipeline(service, call);
    const { readPipelineFile } = await import('../../scheduler/pipeline-file.ts');
    const configuration = readPipelineFile(pipeline)?.text ?? '';
    const isEditable = mayEdit(service, call.caller, organization.id);
    const shown = presentWholePipeline(service, organization, pipeline, isEditable);
    return json({ ...shown, configuration });
  }),
];

const holds = (text: string, part: string | null): boolean =>
  text.toLowerCase().includes((part ?? '').toLowerCase());

/** Clients send the URL of their Git remote, with any scheme and possibly with a token. */
const holdsRepository = (url: string, part: string | null): boolean =>
  holds(url, part) || (part !== null && repositoryName(url) === repositoryName(part));
