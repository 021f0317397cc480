/** What addresses of the API get that no route of it takes: pages take all that is left. */
import { accepts } from '../http/accept.ts';
import { ApiError } from '../http/api-error.ts';
import { authenticate, isAdmin, isOfAgent } from '../http/authenticate.ts';
import type { Call } from '../http/route.ts';
import type { ServiceContext } from '../service-context.ts';

/** What looks like an address of the API is one, and not there. Throws `ApiError` 401 or 404. */
export function refuseApi(call: Call, service: ServiceContext, adminToken: string): void {
  if (isOfApi(call, service)) refuse(call, service, adminToken);
}

/** Only those who may ask learn even what there is not. Throws `ApiError` 401 or 404. */
export function refuse(call: Call, service: ServiceContext, adminToken: string): never {
  const header = call.header('authorization');
  if (!isAdmin(header, adminToken) && !isOfAgent(service, header))
    authenticate(service, header, 'access');
  throw new ApiError(404, 'Not Found');
}

/** Also what is asked for with a token and is of no organization: an address without its version. */
function isOfApi(call: Call, { store }: ServiceContext): boolean {
  const { pathname } = call.url;
  const isForProgram = call.header('authorization') !== undefined;
  if (/^\/(v[123]|local\/v1)(\/|$)/.test(pathname))
    return isForProgram || accepts(call, 'application/json') || !isOfPages(pathname, store);
  const { org } = call.params as { org?: string };
  return org !== undefined && isForProgram && store.accounts.organization(org) === undefined;
}

/** Whether the address is of an organization `v2`, or of a pipeline `v1` of `local`: the API wants a token. */
function isOfPages(pathname: string, { accounts, pipelines }: ServiceContext['store']): boolean {
  const [, org = '', slug = ''] = pathname.split('/');
  const organization = accounts.organization(org);
  if (organization === undefined) return false;
  return org !== 'local' || pipelines.find(organization.id, slug) !== undefined;
}
