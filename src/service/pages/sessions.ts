import { hashOf, newSecret } from '../secrets.ts';
import { onAbort } from '../../common/abort.ts';
import { ApiError } from '../http/api-error.ts';
import type { RouteResponse } from '../http/response.ts';

/** A signed-in user, who has all permissions or only the permissions of an API token. */
export interface SessionUser {
  readonly userId: string;
  /** The token that limits the session. The session ends when the token is removed. */
  readonly tokenHash: string | undefined;
  /** Whether the session also has access to organizations that were created after the token. */
  readonly reachesNewer?: boolean;
}

export interface Session extends SessionUser {
  /** A secret that is sent with each form. */
  readonly formToken: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

export type Sessions = ReturnType<typeof createSessions>;

/** In milliseconds. */
export const codeLife = 60_000;
export const sessionLife = 12 * 60 * 60 * 1000;

/** Sessions are kept in memory and end with the service. `now` returns milliseconds. */
export function createSessions(now: () => number) {
  const codes = new Map<
    string,
    { readonly user: SessionUser; readonly whenUsed?: () => void; readonly until: number }
  >();
  const sessions = new Map<string, Session>();
  return {
    /** Creates a code that can be used once, within a minute of its creation. */
    createCode(user: SessionUser, whenUsed?: () => void): string {
      removeOld(codes, now());
      const code = newSecret('code');
      codes.set(hashOf(code), { user, ...(whenUsed && { whenUsed }), until: now() + codeLife });
      return code;
    },
    /** Returns the secret of a new session; undefined if the code is unknown, used or expired. */
    signIn(code: string): string | undefined {
      const found = codes.get(hashOf(code));
      codes.delete(hashOf(code));
      if (found === undefined || found.until <= now()) return undefined;
      found.whenUsed?.();
      removeOld(sessions, now());
      const secret = newSecret('session');
      const formToken = newSecret('form');
      sessions.set(hashOf(secret), { ...found.user, formToken, until: now() + sessionLife });
      return secret;
    },
    find(secret: string): Session | undefined {
      const session = sessions.get(hashOf(secret));
      return session !== undefined && session.until > now() ? session : undefined;
    },
    remove: (secret: string): void => void sessions.delete(hashOf(secret)),
  };
}

function removeOld(map: Map<string, { readonly until: number }>, now: number): void {
  for (const [key, { until }] of map) if (until <= now) map.delete(key);
}

// All ports of a host share their cookies, so the name of the cookie includes the port.

/** `maxAge` is in seconds; 0 deletes the cookie. */
export const sessionCookie = (port: number, secret: string, maxAge: number): string =>
  `${nameOf(port)}=${secret}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict`;

export function readSessionCookie(port: number, header = ''): string | undefined {
  const pairs = header.split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === nameOf(port))?.[1];
}

const nameOf = (port: number): string => `cictl_session_${port}`;

/** Ends a stream when its session ends. Sends the form token, in case the page's is outdated. */
export function withinSession(
  response: RouteResponse,
  session: { formToken: string; isOver: () => boolean; ended?: (() => void) | undefined },
): RouteResponse {
  const { body, headers } = response;
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return response;
  return {
    ...response,
    headers: { ...headers, 'form-token': session.formToken },
    body: until(body, session.isOver, session.ended),
  };
}

async function* until(
  body: AsyncIterable<Uint8Array>,
  isOver: () => boolean,
  ended: (() => void) | undefined,
) {
  try {
    for await (const piece of body) {
      if (isOver()) return;
      yield piece;
    }
  } finally {
    ended?.();
  }
}

/** `take` returns a function to call when the stream ends. Throws `ApiError` 429 at the limit. */
export function createStreamLimit(ofSession = 100, ofAll = 300) {
  const open = new Map<object, number>();
  let all = 0;
  return {
    take(session: object, signal: AbortSignal): () => void {
      const own = open.get(session) ?? 0;
      if (own >= ofSession || all >= ofAll)
        throw new ApiError(429, 'Too many pages with live updates are open', {
          // In seconds.
          headers: { 'retry-after': '15' },
        });
      open.set(session, own + 1);
      all++;
      let isOpen = true;
      const leave = (): void => {
        if (!isOpen) return;
        isOpen = false;
        stopListening();
        all--;
        const left = (open.get(session) ?? 1) - 1;
        if (left === 0) open.delete(session);
        else open.set(session, left);
      };
      let stopListening = (): void => undefined;
      stopListening = onAbort(signal, leave);
      return leave;
    },
  };
}
