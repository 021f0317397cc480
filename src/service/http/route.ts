import { parseAccept } from 'hono/utils/accept';
import type { ServiceContext } from '../service-context.ts';
import type { Token, User } from '../domain/records.ts';
import type { RouteResponse } from './response.ts';
import type { Scope } from '../domain/permissions.ts';

export interface Caller {
  readonly token: Token;
  /** The token's owner. For a job's token, the creator of the job's build. */
  readonly user: User | undefined;
}

export interface Call<P extends string = string> {
  /** Whether the method is HEAD. The response then only contains headers. */
  readonly isHead: boolean;
  readonly params: Readonly<Record<P, string>>;
  readonly query: URLSearchParams;
  /** The requested URL, but with the service's origin instead of the one that the client used. */
  readonly url: URL;
  /** The origin that the caller used, without a trailing slash. */
  readonly origin: string;
  header(name: string): string | undefined;
  /** Returns the parsed JSON, or `{}` if the body is empty. Throws `ApiError` 400. */
  body(): Promise<unknown>;
  /** The raw body, of any size. It can only be read once. */
  content(): AsyncIterable<Uint8Array>;
  readonly caller: Caller;
  readonly remoteAddress: string;
  isOtherUser(): Promise<boolean | undefined>;
  readonly signal: AbortSignal;
}

export type Handle<P extends string = string> = (
  call: Call<P>,
  service: ServiceContext,
) => RouteResponse | Promise<RouteResponse>;

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The kind of token that a route requires. Rate limits only apply to `access` and `agent`. */
type Audience = 'access' | 'agent' | 'registration' | 'session' | 'job' | 'admin' | 'open';

export interface Route {
  readonly method: RouteMethod;
  readonly path: string;
  readonly audience: Audience;
  readonly scope: Scope | null;
  /** Whether a job may use the route for its own build, regardless of its token's scopes. */
  readonly jobs: boolean;
  readonly handle: Handle<never>;
}

export type Params<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | Params<More>
    : Rest extends `${infer Name}.${string}`
      ? Name
      : Rest
  : never;

/** Who may use a route: access tokens with a scope, or other kinds of callers. */
interface Access {
  readonly scope?: Scope | null;
  readonly jobs?: boolean;
  readonly audience?: Audience;
}

export const admin: Access = { audience: 'admin' };
export const open: Access = { audience: 'open' };
export const session: Access = { audience: 'session' };

export function route<const Path extends string>(
  method: RouteMethod,
  path: Path,
  access: Scope | Access | null,
  handle: Handle<Params<Path>>,
): Route {
  const {
    scope = null,
    jobs = false,
    audience = 'access',
  } = typeof access === 'string' ? { scope: access } : (access ?? {});
  return { method, path, scope, handle: handle as Handle<never>, jobs, audience };
}

/** Whether `Accept` prefers `type`. Wildcards are ignored, because JSON is the default. */
export function accepts(call: Pick<Call, 'header'>, type: string): boolean {
  const [best] = parseAccept(call.header('accept') ?? '').filter(
    ({ type: one, q }) => q > 0 && ours.includes(one.toLowerCase()),
  );
  return best?.type.toLowerCase() === type;
}

/** Whether to send errors as JSON. Clients that have no token and accept any type get a page. */
export const readsJson = (call: Pick<Call, 'header'>): boolean =>
  accepts(call, 'application/json') ||
  (!accepts(call, 'text/html') && call.header('authorization') !== undefined);

const ours = ['application/json', 'text/plain', 'text/html'];
