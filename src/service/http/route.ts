/** A route as data: what the whole API consists of. */
import { parseAccept } from 'hono/utils/accept';
import type { ServiceContext } from '../service-context.ts';
import type { Token, User } from '../domain/records.ts';
import type { RouteResponse } from './response.ts';
import type { Scope } from '../domain/permissions.ts';

/** Whose token the request carries. */
export interface Caller {
  readonly token: Token;
  /** The token's owner; a job acts for the creator of its build. */
  readonly user: User | undefined;
}

export interface Call<P extends string = string> {
  /** Of the response to HEAD the headers alone are sent. */
  readonly isHead: boolean;
  /** The parts of the path, decoded. */
  readonly params: Readonly<Record<P, string>>;
  readonly query: URLSearchParams;
  /** The address as it was asked for, on the service's own origin. */
  readonly url: URL;
  /** Under which the caller reaches the service, without a slash at the end: addresses for it alone begin so. */
  readonly origin: string;
  /** A header, undefined where it is missing. */
  header(name: string): string | undefined;
  /** The JSON of the body, `{}` where it is empty. Throws `ApiError` 400. */
  body(): Promise<unknown>;
  /** The body as it comes, however large; read once. */
  content(): AsyncIterable<Uint8Array>;
  readonly caller: Caller;
  /** Where it comes from; empty where that is not known. */
  readonly remoteAddress: string;
  /** Whether another user of this machine calls over loopback; undefined if that is not known. */
  isOtherUser(): Promise<boolean | undefined>;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
}

export type Handle<P extends string = string> = (
  call: Call<P>,
  service: ServiceContext,
) => RouteResponse | Promise<RouteResponse>;

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Which kind of token a route wants; `open` wants none. A rate limit is asked for `access` and `agent`
 * alone: agents and their jobs call as often as their work needs it.
 */
type Audience = 'access' | 'agent' | 'registration' | 'session' | 'job' | 'admin' | 'open';

export interface Route {
  readonly method: RouteMethod;
  /** `/v2/organizations/:org`. */
  readonly path: string;
  readonly audience: Audience;
  /** The scope that an access token needs; null for none. */
  readonly scope: Scope | null;
  /** The token of a job may use it for its own build, whatever its scopes are. */
  readonly jobs: boolean;
  readonly handle: Handle<never>;
}

/** `:org` and `:number` of a path, as names. */
export type Params<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | Params<More>
    : Rest extends `${infer Name}.${string}`
      ? Name
      : Rest
  : never;

/** A route of the public API. */
export const route = <const Path extends string>(
  method: RouteMethod,
  path: Path,
  scope: Scope | null,
  handle: Handle<Params<Path>>,
  { jobs = false, audience = 'access' }: { jobs?: boolean; audience?: Audience } = {},
): Route => ({ method, path, scope, handle: handle as Handle<never>, jobs, audience: audience });

/**
 * Whether this type is what `Accept` likes best of ours; a wildcard does not count, JSON being the
 * form of choice.
 */
export function accepts(call: Pick<Call, 'header'>, type: string): boolean {
  const [best] = parseAccept(call.header('accept') ?? '').filter(
    ({ type: one, q }) => q > 0 && ours.includes(one.toLowerCase()),
  );
  return best?.type.toLowerCase() === type;
}

/**
 * Whether an error is read as JSON. Who takes anything, and comes without a token as programs do, gets what
 * stands at an address of the pages: a page.
 */
export const readsJson = (call: Pick<Call, 'header'>): boolean =>
  accepts(call, 'application/json') ||
  (!accepts(call, 'text/html') && call.header('authorization') !== undefined);

const ours = ['application/json', 'text/plain', 'text/html'];
