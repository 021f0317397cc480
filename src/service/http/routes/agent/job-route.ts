/** A route for the token of a running job: `buildkite-agent` calls it from within the job. */
import { isWithAgent } from '../../../domain/job-states.ts';
import type { Job, Tree } from '../../../domain/records.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { knownSecrets } from '../../../scheduler/known-secrets.ts';
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

/**
 * The status by which agents of all versions see that asking again is of no use. Those before version 4 send
 * what is refused by another one again for minutes.
 */
export function finalStatus(status: number, path: string, userAgent = ''): number {
  if (!refusals.has(status) || path.startsWith('/local/')) return status;
  // What the protocol has as its word.
  if (path.endsWith('/promise_failure')) return status;
  if (path.endsWith('/pipelines')) return 422;
  // Programs other than agents get the status that the API documents.
  if (path.endsWith('/artifacts') && !userAgent.startsWith('buildkite-agent/')) return status;
  if (/\/data\/set(-batch)?$/.test(path) && /^buildkite-agent\/[0-3]\./.test(userAgent)) return 404;
  return 400;
}

const refusals: ReadonlySet<number> = new Set([400, 413, 422]);

/**
 * The values that jobs of the build may know: those given to it, and of those that the service keeps the ones
 * that a step names or a job has asked for. What nobody of the build has may be a plain word to it.
 */
function usedSecrets({ store }: Pick<ServiceContext, 'store'>, tree: Tree): string[] {
  const { build, plan } = tree;
  const known = Object.entries(knownSecrets(store, build));
  if (known.length === 0) return [];
  const used = [
    ...Object.keys(build.options.secrets),
    ...store.givenSecrets.ofBuild(build.id),
    ...plan.steps.flatMap((step) => (step.type === 'command' ? step.secrets : [])).map(keyOf),
  ];
  const names = new Set(used.map((name) => name.toLowerCase()));
  return known.filter(([name]) => names.has(name.toLowerCase())).map(([, value]) => value);
}

const keyOf = ({ key }: { readonly key: string }): string => key;

/** Characters; a shorter value would take words away that are no secret. */
const shortest = 6;

/**
 * A text that a job leaves with its build, with `[REDACTED]` in place of the secrets of the build: a job
 * may have them in variables of any name, or from `secret get`, where its agent knows nothing of them.
 */
export function withoutSecrets(own: OwnJob, text: string): string {
  return own
    .usedSecrets()
    .filter((value) => value.length >= shortest)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, value) => rest.replaceAll(value, '[REDACTED]'), text);
}
