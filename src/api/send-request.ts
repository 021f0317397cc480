import { readBodyStart, acceptEncoding } from '../http/body.ts';
import { type FinalResponse, sendWithRetry } from '../http/send-with-retry.ts';
import type { Method, Request, Transport } from '../http/transport.ts';
import { urlBelow } from '../http/url.ts';
import { DryRun, type Call, type CallInfo, type PlannedRequest } from './call.ts';
import { failure, toCictlError } from './failure.ts';
import { stringifyJson } from './json.ts';
import type { Clock } from '../common/clock.ts';
import { isToken } from '../parse/checks.ts';
import { CictlError, usageError } from '../errors.ts';

export interface Api {
  readonly base: string;
  authorization(): string;
}

export type SendRequest = <T>(
  call: Call,
  use: (response: FinalResponse) => Promise<T>,
  at?: URL,
) => Promise<T>;

/** Creates a function that calls one API. `use` receives successful responses; all others throw. */
export const createSendRequest =
  (api: Api, options: ClientOptions): SendRequest =>
  async (call, use, at = urlBelow(api.base, call.path, call.query)) => {
    const request = prepare(call, at, api, options);
    return sendOrShow(request, call, options, async (response) => {
      const isEmptyRange = response.status === 416 && call.range !== undefined;
      const isSuccess = response.status >= 200 && response.status < 300;
      if (!isSuccess && !isEmptyRange) {
        throw failure(withLogin(call, options), response, await readBodyStart(response));
      }
      return use(response);
    });
  };

export const withLogin = <C extends CallInfo>(call: C, { login }: ClientOptions): C =>
  login === undefined ? call : { login, ...call };

export async function sendOrShow<T>(
  request: Request,
  call: Pick<Call, 'action' | 'signal'> & { readonly method: Method },
  options: ClientOptions,
  use: (response: FinalResponse) => Promise<T>,
): Promise<T> {
  if (options.dryRun !== undefined && request.method !== 'GET' && request.method !== 'HEAD') {
    const body =
      request.body instanceof Uint8Array ? new TextDecoder().decode(request.body) : request.body;
    options.dryRun({ method: request.method, url: request.url.href, body });
    throw new DryRun('printed instead of sent');
  }
  try {
    const signal = call.signal ? AbortSignal.any([options.signal, call.signal]) : options.signal;
    return await sendWithRetry(request, { random: Math.random, ...options, signal }, use);
  } catch (error) {
    throw toCictlError(call, error);
  }
}

function prepare(call: Call, url: URL, api: Api, options: ClientOptions): Request {
  const { method, body, accept = 'application/json', range } = call;
  return {
    method,
    url,
    headers: {
      accept,
      'accept-encoding': acceptEncoding(range),
      'user-agent': options.userAgent,
      authorization: api.authorization(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(range === undefined ? {} : { range }),
    },
    ...(body === undefined ? {} : { body: stringifyJson(body) }),
    timeout: options.requestTimeout,
  };
}

export interface ClientOptions {
  readonly baseUrl: string;
  readonly agentUrl: string;
  readonly graphqlUrl: string;
  /** API access token, sent only to the origins of `baseUrl` and `graphqlUrl` */
  readonly token?: string;
  /** Agent registration token, sent only to the origin of `agentUrl` */
  readonly agentToken?: string;
  /** The hint if the access token is rejected. Defaults to `cictl auth login`. */
  readonly login?: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random?: () => number;
  readonly requestTimeout: number;
  /** Maximum milliseconds that one call waits if the service asks it to */
  readonly maxWait: number;
  readonly signal: AbortSignal;
  notice(line: string): void;
  debug(line: string): void;
  /** Called under `--dry-run` instead of sending a request, except for GET requests. */
  readonly dryRun?: (request: PlannedRequest) => void;
  readonly userAgent: string;
}

/** Returns the `authorization` header. Messages never contain the token. */
export function credential(scheme: 'Bearer' | 'Token', token: string | undefined): string {
  const name = scheme === 'Bearer' ? 'access token' : 'agent registration token';
  if (token === undefined || token === '') {
    const hint = `cictl auth login${scheme === 'Token' ? ' --agent' : ''}, or cictl local up`;
    throw new CictlError('auth', `no ${name}`, { hint });
  }
  if (!isToken(token))
    throw usageError(`invalid ${name}: it must be a single line of printable ASCII`);
  return `${scheme} ${token}`;
}
