import type { Child } from 'hono/jsx';
import { Refusal } from '../domain/refusal.ts';
import { readsJson, type Call, type Caller } from '../http/route.ts';
import { ApiError, asStorageRefusal } from '../http/api-error.ts';
import type { RouteResponse } from '../http/response.ts';
import { pageResponse, type PageUser } from './framed.ts';
import { ownPath } from './addresses.ts';
import { findBuild, findJob, findOrganization, findPipeline } from '../http/lookups.ts';
import type { ServiceContext } from '../service-context.ts';
import { pagePaths } from './page-routes.ts';

/** Renders an error as a page. Rethrows it for clients that accept JSON. */
export function errorPage(error: unknown, call: Call, user?: PageUser): RouteResponse {
  if (readsJson(call)) throw error;
  if (error instanceof Refusal)
    return refused(error.kind === 'wrong' ? 400 : 422, error.message, user);
  if (!(error instanceof ApiError)) {
    const { status, message } = asStorageRefusal(error) ?? {
      status: 500,
      message: error instanceof Error ? error.message : String(error),
    };
    return notice(status, 'Something went wrong', <p>{message}</p>, user);
  }
  const { status, message, headers } = error;
  const page = status === 401 ? signedOut(message, call) : refused(status, message, user);
  return { ...page, headers: { ...page.headers, ...headers } };
}

const refused = (status: number, message: string, user: PageUser | undefined): RouteResponse =>
  notice(status, status === 404 ? 'Page not found' : 'Request rejected', <p>{message}</p>, user);

/** Browsers omit the cookie when following another site's link, but not when following ours. */
function signedOut(message: string, { url, query }: Call): RouteResponse {
  const asked = url.pathname === '/-/sign-in' ? query.get('to') : pageOf(url);
  const to = new URL(ownPath(asked), url);
  return notice(
    401,
    'Sign in',
    <>
      <p>{message}. In a terminal on this machine, run:</p>
      <pre>
        <code>{openCommand(to)}</code>
      </pre>
      <p>
        Already signed in? <a href={to.pathname + to.search}>Open the page</a>
      </p>
    </>,
  );
}

/** The page to return to. If the URL only accepts form submissions, the page with the form. */
function pageOf({ pathname, search }: URL): string {
  if (methodsAt(pathname).methods.join() !== 'POST') return pathname + search;
  return pathname.startsWith('/-/') ? '/' : pathname.replace(/\/[^/]+\/?$/, '');
}

function notice(status: number, title: string, text: Child, user?: PageUser): RouteResponse {
  const body = (
    <section class="notice">
      <h1>{title}</h1>
      {text}
    </section>
  );
  return pageResponse({ status, title, crumbs: [], body }, user);
}

/** Returns 405 if the URL supports other methods, otherwise 404. */
export function noPage(service: ServiceContext, caller: Caller, { url }: Call): ApiError {
  const { methods, params } = methodsAt(url.pathname);
  if (methods.length === 0) return new ApiError(404, 'There is no page at this URL');
  const finders = {
    job: findJob,
    number: findBuild,
    pipeline: findPipeline,
    org: findOrganization,
  };
  const [, find] = Object.entries(finders).find(([name]) => name in params) ?? [];
  try {
    find?.(service, { params, caller } as never);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  const allow = methods.join(', ');
  return new ApiError(405, `This URL only accepts ${allow}`, { headers: { allow } });
}

/** Returns the methods and parameters of a page URL, even if its build or job does not exist. */
export function methodsAt(pathname: string) {
  const path = pathname.replace(/(.)\/$/, '$1');
  const found = patterns.filter(
    ({ pattern, isOurs }) => isOurs === ours.test(path) && pattern.test(path),
  );
  const methods = found.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const groups = found[0]?.pattern.exec(path)?.groups ?? {};
  const params = Object.entries(groups).map(([name, text]) => [name, decoded(text)]);
  return {
    methods: [...new Set<string>(methods)],
    params: Object.fromEntries(params) as Record<string, string>,
  };
}

/** `-` is never an organization's slug. */
const ours = /^\/-\//;

const patterns = Object.entries(pagePaths)
  .filter(([name]) => name !== 'other')
  .map(([, [method, path]]) => ({
    method,
    isOurs: ours.test(path),
    pattern: new RegExp(`^${path.replace('.', '\\.').replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
  }));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function openCommand({ pathname, search, href }: URL): string {
  const command = 'cictl local open';
  if (pathname === '/' && search === '') return command;
  if (/^[\w:/.%#-]+$/.test(href)) return `${command} ${href}`;
  return `${command} '${href.replaceAll("'", '%27')}'`;
}
