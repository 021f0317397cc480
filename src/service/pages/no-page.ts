import { ApiError } from '../http/api-error.ts';
import { findBuild, findJob, findOrganization, findPipeline } from '../http/lookups.ts';
import type { Call, Caller } from '../http/route.ts';
import type { ServiceContext } from '../service-context.ts';
import { methodsAt } from './methods-at.ts';

/** Why an address shows nothing: 405 where something is there that is asked for in another way, else 404. */
export function noPage(service: ServiceContext, caller: Caller, { url }: Call): ApiError {
  const { methods, params } = methodsAt(url.pathname);
  if (methods.length === 0) return new ApiError(404, 'There is no page at this address');
  try {
    assertThere(service, { params, caller });
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  const allow = methods.join(', ');
  return new ApiError(405, `This address takes ${allow} alone`, { headers: { allow } });
}

function assertThere(service: ServiceContext, call: Pick<Call, 'params' | 'caller'>): void {
  const finders = {
    job: findJob,
    number: findBuild,
    pipeline: findPipeline,
    org: findOrganization,
  };
  const [, find] = Object.entries(finders).find(([name]) => name in call.params) ?? [];
  find?.(service, call as never);
}
