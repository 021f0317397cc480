/** How a browser comes by a session: a code that the administrator gets for a user. */
import { ApiError } from '../http/api-error.ts';
import { bodyReader, objectOf } from '../http/body-reader.ts';
import { pageHeaders } from '../http/page-headers.ts';
import { json, type RouteResponse } from '../http/response.ts';
import type { Call } from '../http/route.ts';
import { hashOf } from '../secrets.ts';
import type { ServiceContext } from '../service-context.ts';
import { sessionCookie } from './cookie.ts';
import { ownPath } from './own-path.ts';
import { sessionLife, type Sessions, type SessionUser } from './sessions.ts';

/**
 * `POST /local/v1/sign-in-codes` with `{"token"?, "reaches_newer"?}`: a code, good once and for 60 seconds, for the user of
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
  const reachesNewer = members.flag('reaches_newer');
  members.done();
  const code = sessions.createCode({ ...userOf(service, token), reachesNewer });
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

/**
 * `GET /-/sign-in?code=CODE&to=PATH`: the cookie, and on to the page. Whoever is signed in gets there by a
 * code that was used, too. Throws `ApiError` 401.
 */
export function signIn(
  sessions: Sessions,
  call: Call,
  { port, isSignedIn }: { readonly port: number; readonly isSignedIn: boolean },
): RouteResponse {
  const headers = { ...pageHeaders, location: ownPath(call.query.get('to')) };
  const secret = sessions.signIn(call.query.get('code') ?? '');
  if (secret === undefined && isSignedIn) return { status: 303, headers, body: null };
  if (secret === undefined)
    throw new ApiError(
      401,
      'This address was good once, for a minute: cictl local open gives another',
    );
  const cookie = { 'set-cookie': sessionCookie(port, secret, sessionLife / 1000) };
  return { status: 303, headers: { ...headers, ...cookie }, body: null };
}
