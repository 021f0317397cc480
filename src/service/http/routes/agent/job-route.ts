/** A route for the token of a running job: `buildkite-agent` calls it from within the job. */
import type { Job, Tree } from '../../../domain/records.ts';
import { ApiError, unauthorized } from '../../api-error.ts';
import type { RouteResponse } from '../../response.ts';
import { route, type Call, type Params, type Route, type RouteMethod } from '../../route.ts';
import type { ServiceContext } from '../../../service-context.ts';

/** The build of the caller, as it is now, and the caller in it. */
export interface OwnJob {
  readonly buildId: string;
  readonly jobId: string;
  tree(): Tree;
  job(): Job;
}

type JobHandle<P extends string> = (
  call: Call<P>,
  service: ServiceContext,
  own: OwnJob,
) => RouteResponse | Promise<RouteResponse>;

/** `:job` and `:build` of the path must be the caller's own. */
export const jobRoute = <const Path extends string>(
  method: RouteMethod,
  path: Path,
  handle: JobHandle<Params<Path>>,
): Route =>
  route<Path>(
    method,
    path,
    null,
    async (call, service) => {
      try {
        return await handle(call, service, findOwn(service, call));
      } catch (error) {
        throw error instanceof ApiError ? inOneMessage(error) : error;
      }
    },
    { audience: 'job' },
  );

function findOwn({ store }: ServiceContext, { caller, params }: Call): OwnJob {
  const { buildId, jobId } = caller.token;
  if (buildId === null || jobId === null) throw unauthorized('job');
  const { job: wanted = jobId, build = buildId } = params as { job?: string; build?: string };
  if (wanted !== jobId) throw new ApiError(401, `This token is good for the job ${jobId} alone`);
  checkBuild(build, buildId);
  const tree = (): Tree => {
    const found = store.builds.tree(buildId);
    if (found === undefined) throw unauthorized('job');
    return found;
  };
  const job = (): Job => {
    const found = tree().jobs.find(({ id }) => id === jobId);
    if (found === undefined) throw unauthorized('job');
    return found;
  };
  return { buildId, jobId, tree, job };
}

/** Throws `ApiError` 401 where a job asks for another build than its own. */
export function checkBuild(wanted: string | undefined, own: string): void {
  if (wanted !== undefined && wanted !== '' && wanted !== own) throw foreignBuild(own);
}

export const foreignBuild = (own: string): ApiError =>
  new ApiError(401, `This token is good for the build ${own} alone`);

/** Agents show the message alone. */
function inOneMessage(error: ApiError): ApiError {
  if (error.errors.length === 0) return error;
  const parts = error.errors.map(({ field, code, message }) => message ?? `${field} is ${code}`);
  return new ApiError(error.status, parts.join('; '));
}
