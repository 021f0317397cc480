import { readBodyStart } from '../http/read-body.ts';
import type { FinalResponse } from '../http/redirects.ts';
import { acceptEncoding } from '../http/decode-body.ts';
import { sendWithRetry } from '../http/send-with-retry.ts';
import type { Method, Request } from '../http/transport.ts';
import { urlBelow } from '../http/url.ts';
import { DryRun } from './dry-run.ts';
import { failure } from './failure.ts';
import { stringifyJson } from './json.ts';
import { toCictlError } from './to-cictl-error.ts';
import type { Call, CallInfo } from './call.ts';
import type { ClientOptions } from './client-options.ts';

/** One of the three APIs: its address, and the credential for that origin. */
export interface Api {
  readonly base: string;
  /** Value of the header `authorization`. Throws where there is none, or it cannot be sent. */
  authorization(): string;
}

export type SendRequest = <T>(
  call: Call,
  use: (response: FinalResponse) => Promise<T>,
  at?: URL,
) => Promise<T>;

/** Calls of one API: `use` gets every successful response; all else is thrown as `CictlError`. */
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

/** Adds the login command, unless the call names that of another credential. */
export const withLogin = <C extends CallInfo>(call: C, { login }: ClientOptions): C =>
  login === undefined ? call : { login, ...call };

/** Sends, or shows under `--dry-run`, a prepared request. */
export async function sendOrShow<T>(
  request: Request,
  call: Pick<Call, 'action' | 'signal'> & { readonly method: Method },
  options: ClientOptions,
  use: (response: FinalResponse) => Promise<T>,
): Promise<T> {
  if (options.dryRun !== undefined && request.method !== 'GET' && request.method !== 'HEAD') {
    options.dryRun({ method: request.method, url: request.url.href, body: shown(request.body) });
    throw new DryRun('shown instead of sent');
  }
  try {
    const signal = either(options.signal, call.signal);
    return await sendWithRetry(request, { random: Math.random, ...options, signal }, use);
  } catch (error) {
    throw toCictlError(call, error);
  }
}

const either = (all: AbortSignal, one: AbortSignal | undefined): AbortSignal =>
  one === undefined ? all : AbortSignal.any([all, one]);

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

const shown = (body: string | Uint8Array | undefined): string | undefined =>
  body instanceof Uint8Array ? new TextDecoder().decode(body) : body;
