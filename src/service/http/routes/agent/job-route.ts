/** A route for the token of a running job: `buildkite-agent` calls it from within the job. */
import { isWithAgent } from '../../../domain/end-job.ts';
import type { Job, Tree } from '../../../domain/records.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { knownSecrets } from '../../../scheduler/known-secrets.ts';
import { ApiError, unauthorized } from '../../api-error.ts';
import type { RouteResponse } from '../../response.ts';
import { route, type Call, type Params, type Route, type RouteMethod } from '../../route.ts';
import type { ServiceContext } from '../../../service-context.ts';
import { finalStatus } from './final-status.ts';
import { usedSecrets } from './used-secrets.ts';

/** The build of the caller, as it is now, and the caller in it. */
export interface OwnJob {
  readonly buildId: string;
  readonly jobId: string;
  tree(): Tree;
  job(): Job;
  /** Those that its steps can ask for, by name. */
  secrets(): Readonly<Record<string, string>>;
  /** The values of those that its jobs may know by now. */
  usedSecrets(): readonly string[];
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
        throw forAgents(error, path, call.header('user-agent'));
      }
    },
    { audience: 'job' },
  );

function findOwn({ store, engine }: ServiceContext, { caller, params }: Call): OwnJob {
  const { buildId, jobId, agentId } = caller.token;
  if (buildId === null || jobId === null) throw unauthorized('job');
  const { job: wanted = jobId, build = buildId } = params as { job?: string; build?: string };
  if (wanted !== jobId) throw new ApiError(401, `This token is good for the job ${jobId} alone`);
  checkBuild(build, buildId);
  const current = store.builds.job(jobId)?.job;
  // The token lives on for a while, for what an agent still has to say of the job itself.
  if (current === undefined || !isWithAgent(current))
    throw new ApiError(401, `The job ${jobId} is over`);
  if (agentId !== undefined && current.agent?.id !== agentId)
    throw new ApiError(401, `The job ${jobId} is with another agent now`);
  // A job that speaks is a sign of life of its agent.
  if (agentId !== undefined) engine.agents.seen(agentId, jobId);
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
  return {
    ...{ buildId, jobId, tree, job },
    secrets: () => knownSecrets(store, tree().build),
    usedSecrets: () => usedSecrets({ store }, tree()),
  };
}

/** Throws `ApiError` 401 where a job asks for another build than its own. */
export function checkBuild(wanted: string | undefined, own: string): void {
  if (wanted !== undefined && wanted !== '' && wanted !== own) throw foreignBuild(own);
}

export const foreignBuild = (own: string): ApiError =>
  new ApiError(401, `This token is good for the build ${own} alone`);

/** Agents show the message alone. */
function forAgents(error: unknown, path: string, userAgent: string | undefined): unknown {
  const status = (of: number): number => finalStatus(of, path, userAgent);
  if (error instanceof Refusal)
    return new ApiError(status(error.kind === 'wrong' ? 400 : 422), error.message);
  if (!(error instanceof ApiError)) return error;
  const parts = error.errors.map(({ field, code, message }) => message ?? `${field} is ${code}`);
  return new ApiError(status(error.status), parts.join('; ') || error.message, {
    ...{ headers: error.headers, members: error.members },
  });
}
