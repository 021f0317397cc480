import {
  refuseUnknown,
  authenticate,
  authorize,
  isAdmin,
  isOtherUser,
  type Connection,
} from './authenticate.ts';
import { Hono, type Context } from 'hono';
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
  /** Identifies callers without a token, for pages that call the API on behalf of a user. */
  readonly callerOf?: (env: object) => Caller;
}

export type Fetch = (request: Request, env?: object) => Response | Promise<Response>;

interface NodeEnv {
  readonly incoming: { readonly socket: { readonly remoteAddress?: string } & Connection };
}

/** Creates the request handler. Trailing slashes in paths are allowed. */
export function createApp(options: AppOptions): Fetch {
  const app = new Hono({ strict: false });
  app.onError((error, context) => respond(refusal(options, error, context), context));
  app.use(async (context, next) => {
    originOf(options, context);
    await next();
  });
  for (const route of options.routes)
    app.on(route.method, route.path, async (context) =>
      respond(await perform(options, route, context), context),
    );
  app.notFound(({ req }) => {
    // Without a token, callers must not find out which URLs exist.
    if (options.isForAgents !== true)
      refuseUnknown(options.service, req.header('authorization'), options.adminToken);
    throw new ApiError(404, 'Not Found');
  });
  return (request, env) => app.fetch(request, env);
}

async function perform(
  options: AppOptions,
  route: Route,
  context: Context,
): Promise<RouteResponse> {
  const headers: Record<string, string> = {};
  const run = async (): Promise<RouteResponse> => {
    const caller = admit(options, route, context, headers);
    return (route.handle as Handle)(callOf(options, context, caller), options.service);
  };
  const response = await run().catch((error: unknown) =>
    route.scope === 'graphql' ? graphqlError(error) : refusal(options, error, context),
  );
  return { ...response, headers: { ...headers, ...response.headers } };
}

/** Authenticates and authorizes. Adds response headers to `headers`. */
function admit(
  { service, adminToken, rateLimiter, callerOf }: AppOptions,
  route: Route,
  { req, env }: Context,
  headers: Record<string, string>,
): Caller {
  if (callerOf !== undefined) {
    const known = callerOf(env as object);
    authorize(known, route);
    return known;
  }
  const header = req.header('authorization');
  if (route.audience === 'admin' && !isAdmin(header, adminToken)) throw unauthorized();
  if (route.audience === 'open' || route.audience === 'admin') return nobody;
  const caller = authenticate(service, header, route.audience);
  const { token } = caller;
  if (token.kind === 'user') service.readers.add(req.header('user-agent'));
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
function originOf({ reach }: AppOptions, { req }: Context): string {
  const origin = req.header('origin');
  const isOwn = origin === 'null' && req.header('sec-fetch-site') === 'same-origin';
  return reach.originOf(req.header('host'), isOwn ? undefined : origin);
}

function callOf(options: AppOptions, context: Context, caller: Caller): Call {
  const { req } = context;
  const origin = originOf(options, context);
  const url = new URL(req.url);
  const { base } = options.service.urls;
  const socket = (context.env as Partial<NodeEnv>).incoming?.socket;
  const address = socket?.remoteAddress ?? '';
  // Behind a local reverse proxy, the client's IP address is unknown.
  const isProxy = origin === options.reach.publicUrl && isLoopback(address);
  return {
    params: req.param(),
    query: url.searchParams,
    url: Object.assign(new URL(base), { pathname: url.pathname, search: url.search }),
    origin,
    isHead: req.raw.method === 'HEAD',
    header: (name) => req.header(name),
    body: async () => parse(await readText(context)),
    content: () => contentOf(req.raw),
    remoteAddress: isProxy ? '' : address,
    isOtherUser: () => isOtherUser(socket ?? {}),
    get signal() {
      return req.raw.signal;
    },
    caller,
  };
}

async function* contentOf({ body }: Request): AsyncGenerator<Uint8Array> {
  // Canceling the request body would close the connection before the client has read the response.
  if (body !== null) yield* body.values({ preventCancel: true });
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
  { req }: Context,
): RouteResponse {
  const response = errorResponse(error);
  const isPage = !isForAgents && accepts({ header: (name) => req.header(name) }, 'text/html');
  if (!isPage || response.status >= 500 || /^\/(v[123]|local\/v1)(\/|$)/.test(req.path))
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

function respond(response: RouteResponse, { req }: Context): Response {
  const { status, body } = response;
  // Browsers must not guess the content type.
  const headers = { 'x-content-type-options': 'nosniff', ...response.headers };
  const isWhole = typeof body === 'string' || body instanceof Uint8Array;
  if (req.raw.method === 'HEAD') {
    const length = isWhole && { 'content-length': String(Buffer.byteLength(body)) };
    return new Response(null, { status, headers: { ...length, ...headers } });
  }
  const payload = isWhole || body === null ? body : (ReadableStream.from(body) as ReadableStream);
  return new Response(payload, { status, headers });
}
