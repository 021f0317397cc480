import type { Child } from 'hono/jsx';
import { Refusal } from '../domain/refusal.ts';
import { readsJson } from '../http/accept.ts';
import { ApiError } from '../http/api-error.ts';
import type { RouteResponse } from '../http/response.ts';
import { asStorageRefusal } from '../http/storage-error.ts';
import type { Call } from '../http/route.ts';
import { pageResponse, type PageUser } from './framed.ts';
import { methodsAt } from './methods-at.ts';
import { openCommand } from './open-command.ts';
import { ownPath } from './own-path.ts';

/** What went wrong as a page, faults of the service too. Rethrows all for whoever reads JSON. */
export function errorPage(error: unknown, call: Call, user?: PageUser): RouteResponse {
  if (readsJson(call)) throw error;
  if (error instanceof Refusal)
    return refused(error.kind === 'wrong' ? 400 : 422, error.message, user);
  if (!(error instanceof ApiError)) return failed(error, user);
  const { status, message, headers } = error;
  const page = status === 401 ? signedOut(message, call) : refused(status, message, user);
  return { ...page, headers: { ...page.headers, ...headers } };
}

function failed(error: unknown, user: PageUser | undefined): RouteResponse {
  const { status, message } = asStorageRefusal(error) ?? {
    status: 500,
    message: error instanceof Error ? error.message : String(error),
  };
  return notice({ status, title: 'Something went wrong', user }, <p>{message}</p>);
}

function refused(status: number, message: string, user: PageUser | undefined): RouteResponse {
  const title = status === 404 ? 'No such page' : 'Refused';
  return notice({ status, title, user }, <p>{message}</p>);
}

/** A browser that comes from a page of another site leaves the cookie behind, but not by our own link. */
function signedOut(message: string, { url, query }: Call): RouteResponse {
  const asked = url.pathname === '/-/sign-in' ? query.get('to') : pageOf(url);
  const to = new URL(ownPath(asked), url);
  return notice(
    { status: 401, title: 'Sign in' },
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

/** The address, or that of the page with the form where it is one that forms are sent to. */
function pageOf({ pathname, search }: URL): string {
  if (methodsAt(pathname).methods.join() !== 'POST') return pathname + search;
  return pathname.startsWith('/-/') ? '/' : pathname.replace(/\/[^/]+\/?$/, '');
}

interface Notice {
  readonly status: number;
  readonly title: string;
  readonly user?: PageUser | undefined;
}

function notice({ status, title, user }: Notice, text: Child): RouteResponse {
  const body = (
    <section class="notice">
      <h1>{title}</h1>
      {text}
    </section>
  );
  return pageResponse({ status, title, crumbs: [], body }, user);
}
