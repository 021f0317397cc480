import type { Hash } from 'node:crypto';
import { type CictlError, usageError } from '../errors.ts';
import { mediaType } from '../http/headers.ts';
import { explanationBytes, withinTime, acceptEncoding } from '../http/body.ts';
import type { FinalResponse } from '../http/send-with-retry.ts';
import type { Request, Response, Method } from '../http/transport.ts';
import { sendOrShow, withLogin, type Api, type ClientOptions } from './send-request.ts';
import { failure, kindOf, withCictlErrors } from './failure.ts';
import { createNextPageFinder, onPage } from './pages.ts';
import type { CallInfo } from './call.ts';

export interface RawRequest {
  readonly method: string;
  /** `builds?state=passed`, `/v2/builds`, or a URL with the service's origin */
  readonly path: string;
  /** Overrides the client's own headers; `authorization` is rejected. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface RawResponse extends Response {
  /** Set if the status is an error. Quotes the part of the body that was read. */
  readonly failure?: () => CictlError;
}

export function raw(api: Api, options: ClientOptions) {
  const sendTo = (
    request: RawRequest,
    url: URL,
    page = 1,
  ): Promise<FinalResponse & RawResponse> => {
    const prepared = prepare(request, url, api, options);
    const call = onPage(withLogin(callOf(prepared), options), url, page);
    return sendOrShow(prepared, call, options, (response) =>
      Promise.resolve({
        ...response,
        ...readableBody(call, { ...response, ...withCictlErrors(limited(response), call) }),
      }),
    );
  };
  return {
    // Asynchronous, so that an invalid URL rejects the promise like any other failure.
    raw: async (request: RawRequest): Promise<RawResponse> =>
      sendTo(request, rawAddress(api.base, request.path)),
    /** Follows `Link: rel="next"`. Requests a page only after the previous one has been read. */
    async *rawPages(request: RawRequest): AsyncGenerator<RawResponse> {
      let url: URL | undefined = rawAddress(api.base, request.path);
      const findNextPage = createNextPageFinder(callOf({ method: rawMethod(request.method), url }));
      const { createHash } = await import('node:crypto');
      const seen = new Set<string>();
      for (let page = 1; url !== undefined; page++) {
        const response: FinalResponse & RawResponse = await sendTo(request, url, page);
        const hash = createHash('sha256');
        yield { ...response, body: hashed(response.body, hash) };
        const before = seen.size;
        const isNew = seen.add(hash.digest('base64')).size > before;
        url = findNextPage(response, isNew);
      }
    },
  };
}

async function* hashed(body: Response['body'], hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    hash.update(chunk);
    yield chunk;
  }
}

const callOf = ({ method, url }: Pick<Request, 'method' | 'url'>): CallInfo => ({
  method,
  action: `${method} ${url.pathname}`,
});

/** JSON responses have a time limit; downloads have none as long as bytes keep arriving. */
const limited = (response: FinalResponse): FinalResponse =>
  mediaType(response.headers).includes('json')
    ? { ...response, body: withinTime(response) }
    : response;

function readableBody(
  call: CallInfo,
  response: FinalResponse,
): Pick<RawResponse, 'body' | 'failure'> {
  if (kindOf(response.status) === undefined) return { body: response.body };
  let start = Buffer.alloc(0);
  async function* body(): AsyncGenerator<Uint8Array> {
    for await (const piece of response.body) {
      if (start.length < explanationBytes) start = Buffer.concat([start, piece]);
      yield piece;
    }
  }
  return {
    body: body(),
    failure: () => failure(call, response, start.toString('utf8', 0, explanationBytes)),
  };
}

function prepare(request: RawRequest, url: URL, api: Api, options: ClientOptions): Request {
  const { body } = request;
  const headers = rawHeaders(request.headers ?? {});
  return {
    method: rawMethod(request.method),
    url,
    headers: {
      accept: 'application/json',
      'accept-encoding': acceptEncoding(headers['range']),
      'user-agent': options.userAgent,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
      authorization: api.authorization(),
    },
    ...(body === undefined ? {} : { body }),
    timeout: options.requestTimeout,
  };
}

/** A path without an API version is below `/v2`. A URL must have the service's origin. */
export function rawAddress(base: string, path: string): URL {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return ownAddress(base, path);
  const [, rest = ''] = /^\/*(.*)$/s.exec(path) ?? [];
  const versioned = /^v\d+(?:[/?#]|$)/.test(rest) ? rest : `v2/${rest}`;
  return ownAddress(base, `${base.replace(/\/+$/, '')}/${versioned}`);
}

function ownAddress(base: string, text: string): URL {
  const { origin } = new URL(base);
  if (!URL.canParse(text)) throw usageError(`${JSON.stringify(text)} is not a valid URL`);
  const url = new URL(text);
  if (url.origin !== origin) {
    throw usageError(`${url.origin} is not the service URL; the token is only sent to ${origin}`);
  }
  url.username = '';
  url.password = '';
  url.hash = '';
  return url;
}

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];

function rawMethod(text: string): Method {
  const method = text.toUpperCase();
  if (methods.includes(method)) return method as Method;
  throw usageError(`the method must be one of ${methods.join(', ')}, not ${JSON.stringify(text)}`);
}

const reserved =
  /^(authorization|proxy-.*|host|content-length|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer)$/;

function rawHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  for (const [name, value] of entries) {
    if (reserved.test(name)) throw usageError(`cannot set the header ${name}`);
    const isFit =
      /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value);
    if (!isFit) throw usageError(`invalid header ${JSON.stringify(name)}`);
  }
  return Object.fromEntries(entries);
}
