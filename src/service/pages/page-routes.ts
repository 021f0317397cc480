import { refuseUnknown } from '../http/authenticate.ts';
import {
  accepts,
  admin,
  open,
  readsJson,
  route,
  type Call,
  type Route,
  type RouteMethod,
} from '../http/route.ts';
import type { ServiceContext } from '../service-context.ts';
import type { PageServer } from './page-server.ts';
import { ApiError } from '../http/api-error.ts';

/** Must come last, since any path can be an organization. Pages use `api` on behalf of the user. */
export function pageRoutes(api: readonly Route[], adminToken: string): readonly Route[] {
  let server: Promise<PageServer> | undefined;
  const serverOf = (service: ServiceContext): Promise<PageServer> =>
    // The code of the pages is loaded on the first request for a page.
    (server ??= import('./page-server.ts').then(({ createPageServer }) =>
      createPageServer(service, api),
    ));
  const serve = async (name: PageName, call: Call, service: ServiceContext) => {
    if ((name === 'other' && readsJson(call)) || isOfApi(call, service))
      refuse(call, service, adminToken);
    return (await serverOf(service)).serve(name, call);
  };
  return [
    route('POST', '/local/v1/sign-in-codes', admin, async (call, service) =>
      (await serverOf(service)).createCode(call),
    ),
    ...Object.entries(pagePaths).map(([name, [method, path]]) =>
      route(method, path, open, (call, service) => serve(name as PageName, call, service)),
    ),
    // For these methods, only browsers get an error page.
    ...(['POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) =>
      route(method, '/*', open, (call, service) =>
        accepts(call, 'text/html')
          ? serve('other', call, service)
          : refuse(call, service, adminToken),
      ),
    ),
  ];
}

const build = '/:org/:pipeline/builds/:number';
const job = `${build}/jobs/:job`;

/** Paths by handler name. `-` is never a slug, so paths with it come first. Forms use POST. */
export const pagePaths = {
  signIn: ['GET', '/-/sign-in'],
  signOut: ['POST', '/-/sign-out'],
  asset: ['GET', '/-/assets/:file'],
  home: ['GET', '/'],
  agent: ['GET', '/organizations/:org/agents/:agent'],
  webhook: ['GET', '/webhooks/:org/:id'],
  organization: ['GET', '/:org'],
  organizationEvents: ['GET', '/:org/-/events'],
  pipeline: ['GET', '/:org/:pipeline'],
  pipelineBuilds: ['GET', '/:org/:pipeline/builds'],
  pipelineEvents: ['GET', '/:org/:pipeline/events'],
  newBuild: ['GET', '/:org/:pipeline/builds/new'],
  createBuild: ['POST', '/:org/:pipeline/builds'],
  stats: ['GET', '/:org/:pipeline/stats'],
  build: ['GET', build],
  buildEvents: ['GET', `${build}/events`],
  cancel: ['POST', `${build}/cancel`],
  rebuild: ['POST', `${build}/rebuild`],
  job: ['GET', job],
  jobEvents: ['GET', `${job}/events`],
  logLines: ['GET', `${job}/log/lines`],
  logSearch: ['GET', `${job}/log/search`],
  rawLog: ['GET', `${job}/log.txt`],
  artifact: ['GET', `${job}/artifacts/:artifact`],
  retry: ['POST', `${job}/retry`],
  unblock: ['POST', `${job}/unblock`],
  other: ['GET', '/*'],
} as const satisfies Record<string, readonly [RouteMethod, string]>;

export type PageName = keyof typeof pagePaths;

/** Throws `ApiError` 401 or 404. */
function refuse(call: Call, service: ServiceContext, adminToken: string): never {
  refuseUnknown(service, call.header('authorization'), adminToken);
  throw new ApiError(404, 'Not Found');
}

/** A path without an API version is for the API if it has a token and an unknown organization. */
function isOfApi(call: Call, { store }: ServiceContext): boolean {
  const { pathname } = call.url;
  const isForProgram = call.header('authorization') !== undefined;
  if (/^\/(v[123]|local\/v1)(\/|$)/.test(pathname))
    return isForProgram || accepts(call, 'application/json') || !isOfPages(pathname, store);
  const { org } = call.params as { org?: string };
  return org !== undefined && isForProgram && store.accounts.organization(org) === undefined;
}

/** An organization may be named `v2`, and a pipeline of `local` may be named `v1`. */
function isOfPages(pathname: string, { accounts, pipelines }: ServiceContext['store']): boolean {
  const [, org = '', slug = ''] = pathname.split('/');
  const organization = accounts.organization(org);
  if (organization === undefined) return false;
  return org !== 'local' || pipelines.find(organization.id, slug) !== undefined;
}
