/**
 * The addresses that a browser opens. They say what is there and how to look at it, with the
 * command; to show more than that takes a credential, which a browser does not have.
 */
import type { ServiceContext } from '../../service-context.ts';
import type { Organization } from '../../domain/records.ts';
import type { RouteResponse } from '../response.ts';
import { findAgent } from '../agents.ts';
import { ApiError, unauthorized } from '../api-error.ts';
import { authenticate } from '../authenticate.ts';
import { htmlPage, type Page } from '../html.ts';
import { maySee } from '../lookups.ts';
import { route, type Call, type Route } from '../route.ts';

const open = { audience: 'open' } as const;

/** The last of all routes: whatever else begins with a slash is taken for an organization. */
export const webRoutes: readonly Route[] = [
  route('GET', '/webhooks/:org/:id', null, (call, service) => webhook(service, call), open),
  route(
    'GET',
    '/organizations/:org/agents/:agent',
    null,
    (call, service) => agent(service, call),
    open,
  ),
  route('GET', '/:org', null, (call, service) => organization(service, call), open),
  route('GET', '/:org/:pipeline', null, (call, service) => pipeline(service, call), open),
  route('GET', '/:org/:pipeline/builds', null, (call, service) => pipeline(service, call), open),
  route(
    'GET',
    '/:org/:pipeline/builds/:number',
    null,
    (call, service) => build(service, call),
    open,
  ),
];

function organization(service: ServiceContext, call: Call<'org'>): RouteResponse {
  const { slug } = find(service, call, (found) => found);
  return page(`Organization ${slug}`, `cictl orgs view ${slug}`);
}

function pipeline(service: ServiceContext, call: Call<'org' | 'pipeline'>): RouteResponse {
  const { org, pipeline: slug } = call.params;
  find(service, call, ({ id }) => service.store.pipelines.find(id, slug));
  return page(`Pipeline ${org}/${slug}`, `cictl builds list -p ${org}/${slug}`);
}

function build(service: ServiceContext, call: Call<'org' | 'pipeline' | 'number'>): RouteResponse {
  const { org, pipeline: slug, number } = call.params;
  find(service, call, ({ id }) => {
    const found = service.store.pipelines.find(id, slug);
    if (found === undefined || !/^\d{1,15}$/.test(number)) return undefined;
    return service.store.builds.find(found.id, Number(number));
  });
  return page(`Build ${number} of ${org}/${slug}`, `cictl builds view ${org}/${slug}/${number}`);
}

function agent(service: ServiceContext, call: Call<'org' | 'agent'>): RouteResponse {
  const { org } = call.params;
  const { agent: found } = find(service, call, (one) => findAgent(service, one, call.params.agent));
  const { id, name } = found;
  return page(`Agent ${name}`, `cictl api /v2/organizations/${org}/agents/${id}`);
}

function webhook(service: ServiceContext, call: Call<'org' | 'id'>): RouteResponse {
  const { slug } = find(service, call, ({ id }) => {
    const found = service.store.pipelines.byId(call.params.id);
    return found?.organizationId === id ? found : undefined;
  });
  const text = 'This service takes no webhooks. A build is created with the command:';
  const command = `cictl builds create -p ${call.params.org}/${slug}`;
  return htmlPage({ title: `Webhook of ${call.params.org}/${slug}`, text, command });
}

const page = (title: string, command: string): RouteResponse =>
  htmlPage({ title, text: explanation, command } satisfies Page);

const explanation = 'This page is here, and what it is about is shown in a terminal:';

/**
 * What `look` finds in the organization of the path. Throws `ApiError`: 401 without a credential
 * where there is nothing, 401 with a wrong one, 404 where nothing is there for it.
 */
function find<T>(
  service: ServiceContext,
  call: Call<'org'>,
  look: (organization: Organization) => T | undefined,
): T {
  const header = call.header('authorization');
  const caller = header === undefined ? undefined : authenticate(service, header, 'access');
  const organization = service.store.accounts.organization(call.params.org);
  const isSeen = organization !== undefined && (!caller || maySee(caller, organization.id));
  const found = isSeen ? look(organization) : undefined;
  if (found !== undefined) return found;
  throw caller === undefined ? unauthorized() : new ApiError(404, 'Not Found');
}
