import { isWithAgent } from '../../../domain/job-states.ts';
import type { Job, Tree } from '../../../domain/records.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { knownSecrets } from '../../../scheduler/known-secrets.ts';
import { ApiError, unauthorized } from '../../api-error.ts';
import type { RouteResponse } from '../../response.ts';
import { route, type Call, type Params, type Route, type RouteMethod } from '../../route.ts';
import type { ServiceContext } from '../../../service-context.ts';

export interface OwnJob {
  readonly buildId: string;
  readonly jobId: string;
  tree(): Tree;
  job(): Job;
  secrets(): Readonly<Record<string, string>>;
  /** The values of the secrets that the build uses. */
  usedSecrets(): readonly string[];
}

/** A route for running jobs. `:job` and `:build` must match the job that the token belongs to. */
export const jobRoute = <const Path extends string>(
  method: RouteMethod,
  path: Path,
  handle: (
    call: Call<Params<Path>>,
    service: ServiceContext,
    own: OwnJob,
  ) => RouteResponse | Promise<RouteResponse>,
): Route =>
  route<Path>(method, path, { audience: 'job' }, async (call, service) => {
    try {
      return await handle(call, service, findOwn(service, call));
    } catch (error) {
      throw forAgents(error, path, call.header('user-agent'));
    }
  });

function findOwn({ store, engine }: ServiceContext, { caller, params }: Call): OwnJob {
  const { buildId, jobId, agentId } = caller.token;
  if (buildId === null || jobId === null) throw unauthorized('job');
  const { job: wanted = jobId, build = buildId } = params as { job?: string; build?: string };
  if (wanted !== jobId) throw new ApiError(401, `This token is only valid for job ${jobId}`);
  checkBuild(build, buildId);
  const current = store.builds.job(jobId)?.job;
  // The token stays valid for a while after the job ends, so that the agent can complete its work.
  if (current === undefined || !isWithAgent(current))
    throw new ApiError(401, `Job ${jobId} has ended`);
  if (agentId !== undefined && current.agent?.id !== agentId)
    throw new ApiError(401, `Job ${jobId} is assigned to another agent`);
  // A job's requests count as heartbeats of its agent.
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
  const secrets = (): Secrets => knownSecrets(store, tree().build);
  return {
    ...{ buildId, jobId, tree, job, secrets },
    usedSecrets: () => usedSecrets(store, tree(), secrets()),
  };
}

export function checkBuild(wanted: string | undefined, own: string): void {
  if (wanted !== undefined && wanted !== '' && wanted !== own) throw foreignBuild(own);
}

export const foreignBuild = (own: string): ApiError =>
  new ApiError(401, `This token is only valid for build ${own}`);

/** Agents only show the message, so this adds the field errors to the message. */
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

/** Returns a status that agents do not retry. Versions before 4 retry most errors for minutes. */
export function finalStatus(status: number, path: string, userAgent = ''): number {
  if (!refusals.has(status) || path.startsWith('/local/')) return status;
  // The agent protocol defines the meaning of these statuses.
  if (path.endsWith('/promise_failure')) return status;
  if (path.endsWith('/pipelines')) return 422;
  // Only agents retry; other clients receive the documented status.
  if (path.endsWith('/artifacts') && !userAgent.startsWith('buildkite-agent/')) return status;
  if (/\/data\/set(-batch)?$/.test(path) && /^buildkite-agent\/[0-3]\./.test(userAgent)) return 404;
  return 400;
}

const refusals: ReadonlySet<number> = new Set([400, 413, 422]);

/** Excludes secrets that the build does not use, because their values could be common words. */
function usedSecrets(
  { givenSecrets }: ServiceContext['store'],
  tree: Tree,
  known: Secrets,
): string[] {
  const { build, plan } = tree;
  if (Object.keys(known).length === 0) return [];
  const used = [
    ...Object.keys(build.options.secrets),
    ...givenSecrets.ofBuild(build.id),
    ...plan.steps.flatMap((step) =>
      step.type === 'command' ? step.secrets.map(({ key }) => key) : [],
    ),
  ];
  const names = new Set(used.map((name) => name.toLowerCase()));
  return Object.entries(known).flatMap(([name, value]) =>
    names.has(name.toLowerCase()) ? value : [],
  );
}

type Secrets = Readonly<Record<string, string>>;

/** Minimum number of characters. Redacting shorter values would remove ordinary words. */
const shortest = 6;

/** Redacts the build's secrets. Agents can only redact values that they know, such as variables. */
export function withoutSecrets(own: OwnJob, text: string): string {
  return own
    .usedSecrets()
    .filter((value) => value.length >= shortest)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, value) => rest.replaceAll(value, '[REDACTED]'), text);
}
