/** How a browser comes by a session: a code that the administrator gets for a user. */
import { ApiError } from '../http/api-error.ts';
import { bodyReader, objectOf } from '../http/body-reader.ts';
import { json, type RouteResponse } from '../http/response.ts';
import type { Call } from '../http/route.ts';
import { hashOf } from '../secrets.ts';
import type { ServiceContext } from '../service-context.ts';
import { sessionCookie } from './cookie.ts';
import { sessionLife, type Sessions, type SessionUser } from './sessions.ts';

/**
 * `POST /local/v1/sign-in-codes` with `{"token"?}`: a code, good once and for 60 seconds, for the user of
 * that API token and with what it may, else for the owner of the service. Throws `ApiError` 422 for a
 * token that is none.
 */
export async function createCode(
  service: ServiceContext,
  sessions: Sessions,
  call: Call,
): Promise<RouteResponse> {
  const members = bodyReader(objectOf(await call.body()));
  const token = members.text('token');
  members.done();
  const code = sessions.createCode(userOf(service, token));
  return json({ code, path: `/-/sign-in?code=${code}` }, 201, { 'cache-control': 'no-store' });
}

function userOf({ store }: ServiceContext, secret: string | undefined): SessionUser {
  if (secret === undefined) {
    const [owner] = store.accounts.users();
    return { userId: owner?.id ?? '', tokenHash: undefined };
  }
  const tokenHash = hashOf(secret);
  const token = store.accounts.token(tokenHash);
  if (token?.kind !== 'user' || token.userId === null)
    throw new ApiError(422, 'There is no such API token');
  return { userId: token.userId, tokenHash };
}

/** `GET /-/sign-in?code=CODE&to=PATH`: the cookie, and on to the page. Throws `ApiError` 401. */
export function signIn(sessions: Sessions, call: Call, port: number): RouteResponse {
  const secret = sessions.signIn(call.query.get('code') ?? '');
  if (secret === undefined)
    throw new ApiError(
      401,
      'This address was good once, for a minute: cictl local open gives another',
    );
  const headers = {
    location: ownPath(call.query.get('to')),
    'set-cookie': sessionCookie(port, secret, sessionLife / 1000),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  };
  return { status: 303, headers, body: null };
}

/** A path of this service, whatever was asked for: `//elsewhere` and `/\elsewhere` are none. */
function ownPath(to: string | null): string {
  const own = 'http://own.invalid';
  const url = to?.startsWith('/') && URL.canParse(to, own) ? new URL(to, own) : undefined;
  if (url?.origin !== own || url.pathname.startsWith('//')) return '/';
  return url.pathname + url.search + url.hash;
}
