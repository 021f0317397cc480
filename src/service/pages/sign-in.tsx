import { seeOther, pageResponse } from './framed.ts';
import { release, tmpdir } from 'node:os';
import { platform } from 'node:process';
import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError } from '../http/api-error.ts';
import { bodyReader } from '../http/body-reader.ts';
import { pageHeaders } from '../http/html.ts';
import { json, type RouteResponse } from '../http/response.ts';
import type { Call } from '../http/route.ts';
import { hashOf } from '../secrets.ts';
import type { ServiceContext } from '../service-context.ts';
import {
  sessionCookie,
  sessionLife,
  type Sessions,
  type SessionUser,
  codeLife,
} from './sessions.ts';
import { ownPath } from './addresses.ts';
import { escapeHtml } from '../../log/html/markup.ts';
import { startTimer } from '../../common/clock.ts';

/**
 * `POST /local/v1/sign-in-codes` with `{"token"?, "reaches_newer"?, "to"?, "directory"?}` creates a
 * code that works once, for 60 seconds. The code signs in the owner of that API token with the
 * permissions of the token. Without a token, it signs in the owner of the service. If a directory
 * is given, also writes a file there that redirects a browser, and returns its path as `file`.
 * Throws `ApiError` 422 for an unknown token.
 */
export async function createCode(
  service: ServiceContext,
  sessions: Sessions,
  call: Call,
): Promise<RouteResponse> {
  const members = bodyReader(await call.body());
  const token = members.text('token');
  const reachesNewer = members.flag('reaches_newer');
  const to = members.text('to');
  const directory = members.text('directory');
  members.done();
  const user = { ...userOf(service, token), reachesNewer };
  let file: ReturnType<typeof writeSignInFile> | undefined;
  const code = sessions.createCode(user, () => file?.remove());
  const query = to === undefined ? '' : `&to=${encodeURIComponent(to)}`;
  const path = `/-/sign-in?code=${code}${query}`;
  if (directory !== undefined)
    file = writeSignInFile(directory, service.urls.base + path, service.clock.now());
  const response = { code, path, ...(file && { file: file.path }) };
  return json(response, 201, { 'cache-control': 'no-store' });
}

function userOf({ store }: ServiceContext, secret: string | undefined): SessionUser {
  if (secret === undefined) {
    const [owner] = store.accounts.users();
    return { userId: owner?.id ?? '', tokenHash: undefined };
  }
  const tokenHash = hashOf(secret);
  const token = store.accounts.token(tokenHash);
  if (token?.kind !== 'user' || token.userId === null) throw new ApiError(422, 'Unknown API token');
  return { userId: token.userId, tokenHash };
}

/** A used code still redirects a signed-in browser. Throws `ApiError` 401 or 403. */
export async function signIn(
  sessions: Sessions,
  call: Call,
  { port, isSignedIn }: { readonly port: number; readonly isSignedIn: boolean },
): Promise<RouteResponse> {
  if (call.isHead) return { status: 200, headers: pageHeaders, body: null };
  if (reportsUsers && (await call.isOtherUser()) !== false)
    throw new ApiError(403, 'Only the user who runs the service can sign in with this URL');
  const location = ownPath(call.query.get('to'));
  const secret = sessions.signIn(call.query.get('code') ?? '');
  if (secret === undefined && isSignedIn) return seeOther(location);
  if (secret === undefined) throw new ApiError(401, 'This URL has expired or was already used');
  const cookie = { 'set-cookie': sessionCookie(port, secret, sessionLife / 1000) };
  const response = isFromElsewhere(call) ? onwards(location) : seeOther(location);
  return { ...response, headers: { ...response.headers, ...cookie } };
}

/** Linux reports the user of each connection, unless Windows forwards the connection to WSL. */
const reportsUsers = platform === 'linux' && !/microsoft/i.test(release());

/** If another site started the redirect, the browser does not send new cookies after it. */
const isFromElsewhere = (call: Call): boolean => {
  const site = call.header('sec-fetch-site');
  return site !== undefined && site !== 'none' && site !== 'same-origin';
};

function onwards(location: string): RouteResponse {
  const body = (
    <section class="notice">
      <h1>Signed in</h1>
      <p>
        <a href={location}>Open the page</a>
      </p>
    </section>
  );
  const response = pageResponse({ title: 'Signed in', crumbs: [], body });
  return { ...response, headers: { ...response.headers, refresh: `0;url=${location}` } };
}

/**
 * Writes the URL to a file, so that the code does not appear on a command line. Sandboxed browsers
 * cannot read the temporary directory, so the caller chooses the directory.
 */
function writeSignInFile(directory: string, url: string, now: number) {
  removeExpired(directory, now);
  const path = writeIn([directory, tmpdir()], `${prefix}${randomUUID()}.html`, redirectTo(url));
  const remove = (): void => {
    timer.stop();
    rmSync(path, { force: true });
  };
  const timer = startTimer(codeLife, remove, { keepsProcess: false });
  return { path, remove };
}

const prefix = 'cictl-sign-in-';

function removeExpired(directory: string, now: number): void {
  try {
    for (const name of readdirSync(directory).filter((one) => one.startsWith(prefix))) {
      const path = join(directory, name);
      if (statSync(path).mtimeMs < now - codeLife) rmSync(path, { force: true });
    }
  } catch {
    // The directory may be unreadable, or another call may have removed the file.
  }
}

function writeIn([first = '', ...others]: readonly string[], name: string, text: string): string {
  const path = join(first, name);
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    return path;
  } catch (error) {
    if (others.length === 0) throw error;
    return writeIn(others, name, text);
  }
}

function redirectTo(url: string): string {
  const href = escapeHtml(url);
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${href}">
<title>cictl</title>
<a href="${href}">Open the page</a>
`;
}
