import type { Artifact } from '../../api/resources/artifact.ts';
import type { ListedAgent } from '../../api/resources/agent.ts';
import { AgentDetails } from '../../pages/agent-details.tsx';
import { Plain } from '../../pages/elements.tsx';
import { ApiError } from '../http/api-error.ts';
import {
  jobPath,
  organizationPath,
  pipelinePath,
  webOrganization,
  webPipeline,
} from './addresses.ts';
import type { PageCall, PageHandler } from './page-call.ts';

/** The page `/organizations/ORG/agents/ID`. */
export const agentPage: PageHandler = async ({ api, params, context }) => {
  const path = `${organizationPath(params)}/agents/${encodeURIComponent(params['agent'] ?? '')}`;
  const agent = (await api.request('GET', path)) as ListedAgent;
  const name = agent.name ?? '';
  return {
    title: name,
    crumbs: [organizationCrumb(params), { text: name }],
    body: <AgentDetails agent={agent} context={context} />,
  };
};

/** `/webhooks/ORG/ID`: webhooks are not supported, so the page explains what to do instead. */
export const webhookPage: PageHandler = async (call) => {
  const { org = '' } = call.params;
  const { slug, name } = await pipelineOfWebhook(call);
  const path = webPipeline({ org, pipeline: slug });
  return {
    title: `Webhook for ${name}`,
    crumbs: [organizationCrumb(call.params), { text: name, href: path }],
    body: (
      <section class="notice">
        <h1>
          Webhook for <Plain text={name} />
        </h1>
        <p>
          This service does not accept webhooks. Create builds of <Plain text={name} />{' '}
          <a href={`${path}/builds/new`}>on a page</a>, with the API, or in a terminal:
        </p>
        <pre>
          <code>{`cictl builds create --profile local --org ${org} -p ${slug} -c HEAD -b main`}</code>
        </pre>
      </section>
    ),
  };
};

async function pipelineOfWebhook({ api, service, params }: PageCall) {
  const { org = '', id = '' } = params;
  const pipeline = service.store.pipelines.byId(id);
  if (pipeline === undefined) throw new ApiError(404, 'No pipeline found');
  // Throws if the user may not see the pipeline.
  const path = pipelinePath({ org, pipeline: pipeline.slug });
  const found = (await api.request('GET', path)) as { id: string; slug: string; name: string };
  if (found.id !== pipeline.id) throw new ApiError(404, 'No pipeline found');
  return found;
}

/** `…/jobs/JOB/artifacts/ID` redirects to the file. */
export const artifactFile: PageHandler = async ({ api, context, params }) => {
  const path = `${jobPath(params)}/artifacts/${encodeURIComponent(params['artifact'] ?? '')}`;
  const { download_url: download } = (await api.request('GET', path)) as Artifact;
  const { headers } = await api.fetch(context.link(download) ?? '');
  const location = context.link(headers.get('location'));
  if (location === undefined) throw new ApiError(404, 'No file found for this artifact');
  return { location };
};

const organizationCrumb = (params: PageCall['params']) => ({
  ...{ text: params['org'] ?? '', href: webOrganization(params) },
});
