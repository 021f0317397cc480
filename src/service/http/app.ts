import { Hono, type Context } from 'hono';
import type { ServiceContext } from '../service-context.ts';
import { Refusal } from '../domain/refusal.ts';
import { json, withSafety, type RouteResponse } from './response.ts';
import { isStorageError } from '../store/database.ts';
import { accepts, type Call, type Caller, type Handle, type Route } from './route.ts';
import { ApiError, badRequest, outOfOrder, unauthorized } from './api-error.ts';
import {
  authenticate,
  authorize,
  isAdmin,
  isOfAgent,
  isOtherUser,
  type Connection,
} from './authenticate.ts';
import { isLoopback, type Reach } from './reach.ts';
import { errorPage } from './html.ts';
import { readText } from './body-reader.ts';
import type { RateLimiter } from './rate-limit.ts';

export interface AppOptions {
  readonly service: ServiceContext;
  readonly routes: readonly Route[];
  readonly reach: Reach;
  readonly adminToken: string;
  /** Only agents use this app: unknown URLs need no token, and errors are never pages. */
  readonly isForAgents?: boolean;
  readonly rateLimiter: RateLimiter | undefined;
  /** Identifies the caller without a token, for pages that call the API in the name of a user. */
  readonly callerOf?: (env: object) => Caller;
}

export type Fetch = (request: Request, env?: object) => Response | Promise<Response>;

/** What the server passes along with the request. */
interface NodeEnv {
  readonly incoming: { readonly socket: { readonly remoteAddress?: string } & Connection };
}

/** Handles requests. Paths may end with a slash. */
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
  app.notFound((context) => {
    // Without a token, not even 404 is revealed.
    const { isForAgents = false, adminToken } = options;
    const header = context.req.header('authorization');
    if (!isForAgents && !isAdmin(header, adminToken) && !isOfAgent(options.service, header))
      authenticate(options.service, header, 'access');
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
  try {
    const caller = admit(options, route, context, headers);
    const response = await handle(options, route, context, caller);
    return { ...response, headers: { ...headers, ...response.headers } };
  } catch (error) {
    const response =
      route.scope === 'graphql' ? graphqlError(error) : refusal(options, error, context);
    return { ...response, headers: { ...headers, ...response.headers } };
  }
}

/** Authenticates and authorizes. Adds headers for the response to `headers`. */
function admit(
  { service, adminToken, rateLimiter, callerOf }: AppOptions,
  route: Route,
  context: Context,
  headers: Record<string, string>,
): Caller {
  if (callerOf !== undefined) {
    const known = callerOf(context.env as object);
    authorize(known, route);
    return known;
  }
  const header = context.req.header('authorization');
  if (route.audience === 'open') return nobody;
  if (route.audience === 'admin') {
    if (!isAdmin(header, adminToken)) throw unauthorized();
    return nobody;
  }
  const caller = authenticate(service, header, route.audience);
  const { token } = caller;
  if (token.kind === 'user') service.readers.add(context.req.header('user-agent'));
  // No rate limit: scripts call these in loops, and agents as often as they need to.
  if (isUnlimited.has(route.audience)) return caller;
  if (route.audience === 'access') {
    headers['x-oauth-scopes'] = token.scopes.join(', ');
    headers['x-accepted-oauth-scopes'] = route.scope ?? '';
  }
  const organization = token.organizationIds[0] ?? '';
  Object.assign(headers, rateLimiter?.take(token.userId ?? token.id, organization));
  authorize(caller, route);
  return caller;
}

const isUnlimited: ReadonlySet<Route['audience']> = new Set(['registration', 'session', 'job']);

const nobody: Caller = {
  user: undefined,
  token: {
    id: 'nobody',
    kind: 'user',
    userId: null,
    organizationIds: [],
    scopes: [],
    description: '',
    createdAt: 0,
    buildId: null,
    jobId: null,
  },
};

const originOf = ({ reach }: AppOptions, { req }: Context): string =>
  reach.originOf(req.header('host'), pageOf(req));

/**
 * The `Origin` of the page. Browsers send "null" for pages with a no-referrer policy, such as ours,
 * but then `Sec-Fetch-Site` (which no page can set) says that the origin is the same.
 */
function pageOf(req: Context['req']): string | undefined {
  const origin = req.header('origin');
  const isOwn = origin === 'null' && req.header('sec-fetch-site') === 'same-origin';
  return isOwn ? undefined : origin;
}

function handle(
  options: AppOptions,
  route: Route,
  context: Context,
  caller: Caller,
): RouteResponse | Promise<RouteResponse> {
  const { service, reach } = options;
  const origin = originOf(options, context);
  const url = new URL(context.req.url);
  const call: Call = {
    params: context.req.param(),
    query: url.searchParams,
    url: Object.assign(new URL(service.urls.base), { pathname: url.pathname, search: url.search }),
    origin,
    isHead: context.req.raw.method === 'HEAD',
    header: (name) => context.req.header(name),
    body: async () => parse(await readText(context)),
    content: () => contentOf(context.req.raw),
    remoteAddress: addressOf(context, origin === reach.publicUrl),
    isOtherUser: () => isOtherUser(socketOf(context) ?? {}),
    get signal() {
      return context.req.raw.signal;
    },
    caller,
  };
  return (route.handle as Handle)(call, service);
}

/** A local proxy hides the address of the client. */
function addressOf(context: Context, mayBeProxy: boolean): string {
  const address = socketOf(context)?.remoteAddress ?? '';
  return mayBeProxy && isLoopback(address) ? '' : address;
}

const socketOf = ({ env }: Context) => (env as Partial<NodeEnv>).incoming?.socket;

async function* contentOf({ body }: Request): AsyncGenerator<Uint8Array> {
  // Canceling would close the connection before the client has read the response.
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

/** Converts an error to a page for browsers, otherwise to JSON. */
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

/** Responses to HEAD only have headers, including the length if it is known. */
function respond(response: RouteResponse, { req }: Context): Response {
  const { status, headers, body } = withSafety(response);
  if (req.raw.method === 'HEAD')
    return new Response(null, { status, headers: { ...lengthOf(body), ...headers } });
  return new Response(payloadOf(body), { status, headers });
}

function lengthOf(body: RouteResponse['body']): Record<string, string> {
  const isWhole = typeof body === 'string' || body instanceof Uint8Array;
  return isWhole ? { 'content-length': String(Buffer.byteLength(body)) } : {};
}

function payloadOf(
  body: RouteResponse['body'],
): string | Uint8Array<ArrayBuffer> | ReadableStream | null {
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return body;
  return ReadableStream.from(body) as ReadableStream;
}
