import { Readable } from 'node:stream';
import type { Call, Caller, Route } from '../http/route.ts';
import type { RouteResponse } from '../http/response.ts';
import type { ServiceContext } from '../service-context.ts';
import { readSessionCookie, type Sessions, type SessionUser } from './sessions.ts';
import { scopes as allScopes } from '../domain/permissions.ts';
import { ApiError } from '../http/api-error.ts';
import { createApp, type AppOptions } from '../http/app.ts';

export type SignedIn = NonNullable<ReturnType<typeof signedIn>>;

/** Returns undefined if there is no valid session, or if its user or token was removed. */
export function signedIn(
  { service, sessions, port }: { service: ServiceContext; sessions: Sessions; port: number },
  call: Call,
) {
  const secret = readSessionCookie(port, call.header('cookie')) ?? '';
  const find = () => {
    const session = sessions.find(secret);
    const caller = session && sessionCaller(service, session);
    return session && caller && { session, caller };
  };
  const found = find();
  return (
    found && {
      ...found,
      isOver: () => find() === undefined,
      signOut: () => sessions.remove(secret),
    }
  );
}

function sessionCaller({ store }: ServiceContext, session: SessionUser): Caller | undefined {
  const user = store.accounts.user(session.userId);
  if (user === undefined) return undefined;
  const organizations = store.accounts.organizationsOf(user.id);
  if (session.tokenHash === undefined) {
    const organizationIds = organizations.map(({ id }) => id);
    return { user, token: { ...ofSession, userId: user.id, organizationIds } };
  }
  const token = store.accounts.token(session.tokenHash);
  if (token === undefined) return undefined;
  // The organization is newer than the token, so the token could not include it.
  const newer = organizations.filter(
    ({ createdAt }) => session.reachesNewer === true && createdAt > token.createdAt,
  );
  const organizationIds = [...token.organizationIds, ...newer.map(({ id }) => id)];
  return { user, token: { ...token, scopes: scopesOnPages(token.scopes), organizationIds } };
}

/** Builds contain their pipeline and organization, so users who read builds can read both. */
const scopesOnPages = (given: readonly string[]): readonly string[] =>
  given.includes('read_builds') ? [...given, 'read_organizations', 'read_pipelines'] : given;

const ofSession = {
  id: 'session',
  kind: 'user',
  scopes: allScopes,
  description: 'browser session',
  createdAt: 0,
  buildId: null,
  jobId: null,
} as const;

export interface SessionApi {
  /** `path` includes the query. Throws `ApiError` with the status and message of the response. */
  request(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown>;
  /** Returns the response itself, for streams and for lists with a `Link` header. */
  fetch(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

/** Calls the API on behalf of a user, so that pages need no permission rules of their own. */
export function sessionApis(
  options: Pick<AppOptions, 'service' | 'adminToken'>,
  routes: readonly Route[],
) {
  const { base } = options.service.urls;
  const app = createApp({
    ...options,
    routes: routes.filter(({ audience }) => audience === 'access'),
    reach: { originOf: () => base },
    rateLimiter: undefined,
  });
  return (caller: Caller): SessionApi => {
    const send = async (method: string, path: string, { headers = {}, body }: Sent = {}) => {
      const { signal } = new AbortController();
      const content = () => Readable.from(body === undefined ? [] : [Buffer.from(body)]);
      const header = (name: string): string | undefined => headers[name];
      const url = base + path;
      const response = toResponse(await app({ method, url, header, content, signal, caller }));
      // The caller handles redirects.
      if (response.status < 400) return response;
      throw await errorOf(response);
    };
    return {
      async request(method, path, body) {
        const response = await send(method, path, body && { body: JSON.stringify(body) });
        return response.status === 204 ? undefined : await response.json();
      },
      fetch: (path, headers = {}) => send('GET', path, { headers }),
    };
  };
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function toResponse({ status, headers, body }: RouteResponse): Response {
  const isStream = typeof body === 'object' && body !== null && !(body instanceof Uint8Array);
  const payload = isStream ? (ReadableStream.from(body) as ReadableStream) : body;
  return new Response(payload, { status, headers });
}

async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  try {
    const { message, ...more } = JSON.parse(text) as Pick<ApiError, 'message' | 'errors'>;
    return new ApiError(response.status, message, { errors: more.errors });
  } catch {
    return new ApiError(response.status, text);
  }
}
