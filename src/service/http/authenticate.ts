/** Who is calling, and whether the route is theirs to call. */
import { timingSafeEqual } from 'node:crypto';
import type { ServiceContext } from '../service-context.ts';
import { isWithAgent } from '../domain/end-job.ts';
import type { Token } from '../domain/records.ts';
import { hashOf } from '../secrets.ts';
import { forbidden, missingScope, unauthorized } from './api-error.ts';
import type { Caller, Route } from './route.ts';

/** Bearer for access tokens and the administrator's, Token for agents and for the jobs they run. */
const schemes = {
  ...{ access: 'bearer', admin: 'bearer' },
  ...{ agent: 'token', registration: 'token', session: 'token', job: 'token' },
} as const;

/** Which tokens count: the API takes that of a job too, where a route lets it in. */
const kinds = {
  access: ['user', 'job'],
  agent: ['agent'],
  registration: ['agent'],
  session: ['session'],
  job: ['job'],
} as const satisfies Record<string, readonly Token['kind'][]>;

/** The caller behind an `Authorization` header. Throws `ApiError` 401. */
export function authenticate(
  { store }: ServiceContext,
  header: string | undefined,
  audience: keyof typeof kinds,
): Caller {
  const { scheme, secret } = readAuthorization(header);
  const token = scheme === schemes[audience] ? store.accounts.token(hashOf(secret)) : undefined;
  if (token === undefined || !kinds[audience].some((kind) => kind === token.kind))
    throw unauthorized(audience);
  if (audience === 'access' && !isInUse(store, token)) throw unauthorized(audience);
  const user = token.userId === null ? undefined : store.accounts.user(token.userId);
  return { token, user };
}

/** That of a job with an agent lives on for a while, for what the agent still has to say of it. */
function isInUse({ builds }: ServiceContext['store'], { jobId, agentId }: Token): boolean {
  if (jobId === null || agentId === undefined) return true;
  const job = builds.job(jobId)?.job;
  return job !== undefined && isWithAgent(job) && job.agent?.id === agentId;
}

/** Whether the header carries the administrator's token; takes the same time for every wrong one. */
export function isAdmin(header: string | undefined, adminToken: string): boolean {
  const { scheme, secret } = readAuthorization(header);
  const actual = Buffer.from(hashOf(scheme === schemes.admin ? secret : ''));
  return timingSafeEqual(actual, Buffer.from(hashOf(adminToken)));
}

/** Whether the header carries the token of an agent or of a job. */
export function isOfAgent({ store }: ServiceContext, header: string | undefined): boolean {
  const { scheme, secret } = readAuthorization(header);
  return scheme === schemes.agent && store.accounts.token(hashOf(secret)) !== undefined;
}

/** Both empty where the header is missing, or is not a scheme and one word. */
function readAuthorization(header = ''): { scheme: string; secret: string } {
  const [, scheme = '', secret = ''] = /^\s*(\S+)\s+(\S+)\s*$/.exec(header) ?? [];
  return { scheme: scheme.toLowerCase(), secret };
}

/** Throws `ApiError` 403 where the token lacks what the route needs. */
export function authorize({ token }: Caller, { scope, jobs }: Route): void {
  if (token.kind === 'job' && jobs) return;
  if (scope !== null && !token.scopes.includes(scope)) throw missingScope(scope);
  // Without a scope to ask for, a job still gets nowhere but where it is let in.
  if (token.kind === 'job' && scope === null) throw forbidden();
}
