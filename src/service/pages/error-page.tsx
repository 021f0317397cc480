import { Refusal } from '../domain/refusal.ts';
import { ApiError } from '../http/api-error.ts';
import type { RouteResponse } from '../http/response.ts';
import type { Call } from '../http/route.ts';
import { pageResponse } from './framed.ts';

/** What went wrong as a page. Rethrows what is no refusal. */
export function errorPage(error: unknown, call: Call): RouteResponse {
  if (error instanceof Refusal) return failure(error.kind === 'wrong' ? 400 : 422, error.message);
  if (!(error instanceof ApiError)) throw error;
  return error.status === 401
    ? signedOut(error.message, call)
    : failure(error.status, error.message);
}

const failure = (status: number, message: string): RouteResponse =>
  pageResponse({
    status,
    title: status === 404 ? 'No such page' : 'Refused',
    crumbs: [],
    body: (
      <section class="notice">
        <h1>{status === 404 ? 'No such page' : 'Refused'}</h1>
        <p>{message}</p>
      </section>
    ),
  });

const signedOut = (message: string, call: Call): RouteResponse =>
  pageResponse({
    status: 401,
    title: 'Sign in',
    crumbs: [],
    body: (
      <section class="notice">
        <h1>Sign in</h1>
        <p>{message}. In a terminal of this machine, type:</p>
        <pre>
          <code>cictl local open{call.url.pathname === '/' ? '' : ` ${call.url.href}`}</code>
        </pre>
      </section>
    ),
  });
