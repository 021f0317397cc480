import { timingSafeEqual } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { ServiceContext } from '../service-context.ts';
import { isWithAgent } from '../domain/job-states.ts';
import type { Token } from '../domain/records.ts';
import { hashOf } from '../secrets.ts';
import { forbidden, missingScope, unauthorized } from './api-error.ts';
import type { Caller, Route } from './route.ts';

const schemes = {
  ...{ access: 'bearer', admin: 'bearer' },
  ...{ agent: 'token', registration: 'token', session: 'token', job: 'token' },
} as const;

const kinds = {
  access: ['user', 'job'],
  agent: ['agent'],
  registration: ['agent'],
  session: ['session'],
  job: ['job'],
} as const satisfies Record<string, readonly Token['kind'][]>;

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

/** A job's token stays valid for a while after the job ends, because its agent still needs it. */
function isInUse({ builds }: ServiceContext['store'], { jobId, agentId }: Token): boolean {
  if (jobId === null || agentId === undefined) return true;
  const job = builds.job(jobId)?.job;
  return job !== undefined && isWithAgent(job) && job.agent?.id === agentId;
}

/** Compares in constant time. */
export function isAdmin(header: string | undefined, adminToken: string): boolean {
  const { scheme, secret } = readAuthorization(header);
  const actual = Buffer.from(hashOf(scheme === schemes.admin ? secret : ''));
  return timingSafeEqual(actual, Buffer.from(hashOf(adminToken)));
}

/** Throws `ApiError` 401 without a valid token, because a 404 would show which URLs exist. */
export function refuseUnknown(
  service: ServiceContext,
  header: string | undefined,
  adminToken: string,
): void {
  const { scheme, secret } = readAuthorization(header);
  const { accounts } = service.store;
  const isOfAgent = scheme === schemes.agent && accounts.token(hashOf(secret)) !== undefined;
  if (!isOfAgent && !isAdmin(header, adminToken)) authenticate(service, header, 'access');
}

function readAuthorization(header = ''): { scheme: string; secret: string } {
  const [, scheme = '', secret = ''] = /^\s*(\S+)\s+(\S+)\s*$/.exec(header) ?? [];
  return { scheme: scheme.toLowerCase(), secret };
}

/** Throws `ApiError` 403 if the token lacks the scope. */
export function authorize({ token }: Caller, { scope, jobs }: Route): void {
  if (token.kind === 'job' && jobs) return;
  if (scope !== null && !token.scopes.includes(scope)) throw missingScope(scope);
  // Jobs may only use routes that explicitly allow them, even if no scope is required.
  if (token.kind === 'job' && scope === null) throw forbidden();
}

export interface Connection {
  readonly localPort?: number | undefined;
  readonly remotePort?: number | undefined;
}

const tables = ['/proc/net/tcp', '/proc/net/tcp6'];

/** Whether the connection comes from another user on this machine; undefined if unknown. */
export async function isOtherUser(
  { localPort, remotePort }: Connection,
  read = readTable,
): Promise<boolean | undefined> {
  const lines = (await Promise.all(tables.map(read))).flatMap((text) => text.split('\n'));
  const [here, there] = [localPort, remotePort].map(hexadecimal);
  const own = userOf(lines, `:${here}`, `:${there}`);
  const other = userOf(lines, `:${there}`, `:${here}`);
  return own === undefined || other === undefined ? undefined : own !== other;
}

/** Undefined without `/proc`. A wrong result only affects how the agent gets the source code. */
export async function isAgentOfOtherUser(
  pid: number | null,
  ownerOf = processOwner,
): Promise<boolean | undefined> {
  const own = await ownerOf('self');
  if (own === undefined || pid === null) return undefined;
  return (await ownerOf(String(pid))) !== own;
}

const processOwner = (id: string): Promise<number | undefined> =>
  stat(`/proc/${id}`).then(
    ({ uid }) => uid,
    () => undefined,
  );

const readTable = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

const hexadecimal = (port = 0): string => port.toString(16).toUpperCase().padStart(4, '0');

/** Each end of a connection has its own line with a user ID. Inode 0 means an unknown user. */
function userOf(lines: readonly string[], from: string, to: string): string | undefined {
  for (const line of lines) {
    const [, local = '', remote = '', , , , , user, , inode] = line.trim().split(/\s+/);
    if (isLoopback(local, from) && isLoopback(remote, to)) return inode === '0' ? undefined : user;
  }
  return undefined;
}

/** Matches 127.0.0.1 or its IPv6-mapped form, in either byte order. */
const isLoopback = (address: string, port: string): boolean =>
  address.endsWith(`0100007F${port}`) || address.endsWith(`7F000001${port}`);
