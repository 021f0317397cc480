import {
  refuseUnknown,
  authenticate,
  authorize,
  isAdmin,
  isOtherUser,
  type Connection,
} from './authenticate.ts';
import { TrieRouter } from 'hono/router/trie-router';
import { getPathNoStrict, tryDecodeURIComponent } from 'hono/utils/url';
import type { ServiceContext } from '../service-context.ts';
import { Refusal } from '../domain/refusal.ts';
import { json, type RouteResponse } from './response.ts';
import { isStorageError } from '../store/database.ts';
import { accepts, type Call, type Caller, type Handle, type Route } from './route.ts';
import { ApiError, badRequest, outOfOrder, unauthorized } from './api-error.ts';
import { isLoopback, type Reach } from './reach.ts';
import { errorPage } from './html.ts';
import { readText } from './body-reader.ts';
import type { RateLimiter } from './rate-limit.ts';

export interface AppOptions {
  readonly service: ServiceContext;
  readonly routes: readonly Route[];
  readonly reach: Reach;
  readonly adminToken: string;
  /** Set if only agents use the app: unknown URLs then need no token, and errors are never HTML. */
  readonly isForAgents?: boolean;
  readonly rateLimiter: RateLimiter | undefined;
}

/** A request in the form that the app needs. Unlike `Request`, it does not load Node's `fetch`. */
export interface AppRequest {
  readonly method: string;
  /** The absolute URL. */
  readonly url: string;
  readonly header: (name: string) => string | undefined;
  readonly content: () => AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
  readonly socket?: { readonly remoteAddress?: string | undefined } & Connection;
  /** Set if a page calls the API on behalf of a user: no token or rate limit applies. */
  readonly caller?: Caller;
}

export type App = (request: AppRequest) => Promise<RouteResponse>;

/** Creates the request handler. Trailing slashes in paths are allowed. */
export function createApp(options: AppOptions): App {
  const router = new TrieRouter<Route>();
  for (const route of options.routes) router.add(route.method, route.path, route);
  return async (request) => {
    try {
      originOf(options, request);
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      const [found] = router.match(method, pathOf(request))[0];
      if (found !== undefined)
        return finished(await perform(options, found[0], paramsOf(found[1]), request), request);
      // Without a token, callers must not find out which URLs exist.
      if (options.isForAgents !== true)
        refuseUnknown(options.service, request.header('authorization'), options.adminToken);
      throw new ApiError(404, 'Not Found');
    } catch (error) {
      return finished(refusal(options, error, request), request);
    }
  };
}

/** hono only reads the URL. */
const pathOf = (request: AppRequest): string => getPathNoStrict(request as unknown as Request);

const paramsOf = (params: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, tryDecodeURIComponent(String(value))]),
  );

async function perform(
  options: AppOptions,
  route: Route,
  params: Call['params'],
  request: AppRequest,
): Promise<RouteResponse> {
  const headers: Record<string, string> = {};
  const run = async (): Promise<RouteResponse> => {
    const caller = admit(options, route, request, headers);
    const call = callOf(options, params, request, caller);
    return (route.handle as Handle)(call, options.service);
  };
  const response = await run().catch((error: unknown) =>
    route.scope === 'graphql' ? graphqlError(error) : refusal(options, error, request),
  );
  return { ...response, headers: { ...headers, ...response.headers } };
}

/** Authenticates and authorizes. Adds response headers to `headers`. */
function admit(
  { service, adminToken, rateLimiter }: AppOptions,
  route: Route,
  request: AppRequest,
  headers: Record<string, string>,
): Caller {
  if (request.caller !== undefined) {
    authorize(request.caller, route);
    return request.caller;
  }
  const header = request.header('authorization');
  if (route.audience === 'admin' && !isAdmin(header, adminToken)) throw unauthorized();
  if (route.audience === 'open' || route.audience === 'admin') return nobody;
  const caller = authenticate(service, header, route.audience);
  const { token } = caller;
  if (token.kind === 'user') service.readers.add(request.header('user-agent'));
  // No rate limit: scripts call these routes in loops, and agents call them as often as needed.
  if (['registration', 'session', 'job'].includes(route.audience)) return caller;
  if (route.audience === 'access') {
    headers['x-oauth-scopes'] = token.scopes.join(', ');
    headers['x-accepted-oauth-scopes'] = route.scope ?? '';
  }
  const organization = token.organizationIds[0] ?? '';
  Object.assign(headers, rateLimiter?.take(token.userId ?? token.id, organization));
  authorize(caller, route);
  return caller;
}

const nobody: Caller = {
  user: undefined,
  token: {
    ...{ id: 'nobody', kind: 'user', description: '', createdAt: 0, organizationIds: [] },
    ...{ scopes: [], userId: null, buildId: null, jobId: null },
  },
};

/** Browsers send `Origin: null` from our pages. In that case, `Sec-Fetch-Site` can be trusted. */
function originOf({ reach }: AppOptions, { header }: AppRequest): string {
  const origin = header('origin');
  const isOwn = origin === 'null' && header('sec-fetch-site') === 'same-origin';
  return reach.originOf(header('host'), isOwn ? undefined : origin);
}

function callOf(
  options: AppOptions,
  params: Call['params'],
  request: AppRequest,
  caller: Caller,
): Call {
  const origin = originOf(options, request);
  const url = new URL(request.url);
  const { base } = options.service.urls;
  const { socket, header } = request;
  const address = socket?.remoteAddress ?? '';
  // Behind a local reverse proxy, the client's IP address is unknown.
  const isProxy = origin === options.reach.publicUrl && isLoopback(address);
  return {
    params,
    query: url.searchParams,
    url: Object.assign(new URL(base), { pathname: url.pathname, search: url.search }),
    origin,
    isHead: request.method === 'HEAD',
    header,
    body: async () => parse(await readText(request)),
    content: () => request.content(),
    remoteAddress: isProxy ? '' : address,
    isOtherUser: () => isOtherUser(socket ?? {}),
    get signal() {
      return request.signal;
    },
    caller,
  };
}

function parse(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('The request body is not valid JSON');
  }
}

/** Sends an error as a page to browsers, otherwise as JSON. */
function refusal(
  { isForAgents = false }: AppOptions,
  error: unknown,
  request: AppRequest,
): RouteResponse {
  const response = errorResponse(error);
  const isPage = !isForAgents && accepts(request, 'text/html');
  if (!isPage || response.status >= 500 || /^\/(v[123]|local\/v1)(\/|$)/.test(pathOf(request)))
    return response;
  return errorPage(response.status, messageOf(response), response.headers);
}

function errorResponse(error: unknown): RouteResponse {
  if (error instanceof Refusal)
    return json({ message: error.message }, error.kind === 'wrong' ? 400 : 422);
  if (error instanceof ApiError) {
    const { message, errors, members } = error;
    const body = { message, ...members, ...(errors.length > 0 && { errors }) };
    return json(body, error.status, error.headers);
  }
  if (isStorageError(error)) return errorResponse(outOfOrder(error.message));
  const reason = error instanceof Error ? error.message : String(error);
  return json({ message: `Internal Server Error: ${reason}` }, 500);
}

function graphqlError(error: unknown): RouteResponse {
  const response = errorResponse(error);
  return json({ errors: [{ message: messageOf(response) }] }, response.status, response.headers);
}

function messageOf({ body }: RouteResponse): string {
  const { message } = JSON.parse(typeof body === 'string' ? body : '{}') as { message: string };
  return message;
}

/** Removes the body of the response to HEAD. */
function finished({ status, headers, body }: RouteResponse, { method }: AppRequest): RouteResponse {
  const isWhole = typeof body === 'string' || body instanceof Uint8Array;
  const isHead = method === 'HEAD';
  const length = isHead && isWhole && { 'content-length': String(Buffer.byteLength(body)) };
  // Browsers must not guess the content type.
  const all = { ...length, 'x-content-type-options': 'nosniff', ...headers };
  return { status, headers: all, body: isHead ? null : body };
}
