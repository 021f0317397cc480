import type { Child } from 'hono/jsx';
import { Refusal } from '../domain/refusal.ts';
import { accepts } from '../http/accept.ts';
import { ApiError } from '../http/api-error.ts';
import type { RouteResponse } from '../http/response.ts';
import type { Call } from '../http/route.ts';
import { pageResponse } from './framed.ts';
import { openCommand } from './open-command.ts';
import { ownPath } from './own-path.ts';

/** What went wrong as a page. Rethrows what is no refusal, and all for whoever reads no pages. */
export function errorPage(error: unknown, call: Call): RouteResponse {
  if (!accepts(call, 'text/html')) throw error;
  if (error instanceof Refusal) return refused(error.kind === 'wrong' ? 400 : 422, error.message);
  if (!(error instanceof ApiError)) throw error;
  const { status, message } = error;
  return status === 401 ? signedOut(message, call) : refused(status, message);
}

function refused(status: number, message: string): RouteResponse {
  const title = status === 404 ? 'No such page' : 'Refused';
  return notice(status, title, <p>{message}</p>);
}

/** A browser that comes from a page of another site leaves the cookie behind, but not by our own link. */
function signedOut(message: string, { url, query }: Call): RouteResponse {
  const to = new URL(url.pathname === '/-/sign-in' ? ownPath(query.get('to')) : url, url);
  return notice(
    401,
    'Sign in',
    <>
      <p>{message}. In a terminal of this machine, type:</p>
      <pre>
        <code>{openCommand(to)}</code>
      </pre>
      <p>
        Signed in already? <a href={to.pathname + to.search}>Open the page</a>
      </p>
    </>,
  );
}

const notice = (status: number, title: string, text: Child): RouteResponse =>
  pageResponse({
    ...{ status, title, crumbs: [] },
    body: (
      <section class="notice">
        <h1>{title}</h1>
        {text}
      </section>
    ),
  });
