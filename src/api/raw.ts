import type { CictlError } from '../errors.ts';
import { mediaType } from '../http/media-type.ts';
import { explanationBytes, withinTime } from '../http/read-body.ts';
import type { FinalResponse } from '../http/redirects.ts';
import { acceptEncoding } from '../http/decode-body.ts';
import type { Request, Response } from '../http/transport.ts';
import { sendOrShow, withLogin, type Api } from './send-request.ts';
import { failure, kindOf } from './failure.ts';
import { createNextPageFinder, onPage } from './page.ts';
import { createDigests } from './digests.ts';
import { rawAddress, rawHeaders, rawMethod } from './raw-request.ts';
import { withCictlErrors } from './to-cictl-error.ts';
import type { CallInfo } from './call.ts';
import type { ClientOptions } from './client-options.ts';

/** A request of the user's own making. */
export interface RawRequest {
  /** GET, HEAD, POST, PUT, PATCH or DELETE, in any case. */
  readonly method: string;
  /** `builds?state=passed`, `/v2/builds`, or an address of the service's origin. */
  readonly path: string;
  /** Names in any case; they win over the client's own. `authorization` is refused. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A response of any status, with its body unread. */
export interface RawResponse extends Response {
  /** The error to throw where the status is not a success; it quotes what was read of the body. */
  readonly failure?: () => CictlError;
}

export interface Raw {
  raw(request: RawRequest): Promise<RawResponse>;
  /** Follows `Link: rel="next"`; the body of one page must be read before the next is requested. */
  rawPages(request: RawRequest): AsyncIterable<RawResponse>;
}

/** Requests to the REST API as a user writes them; the responses are not interpreted. */
export function raw(api: Api, options: ClientOptions): Raw {
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
    // Asynchronous, so that a bad address rejects as every other failure does.
    raw: async (request) => sendTo(request, rawAddress(api.base, request.path)),
    async *rawPages(request) {
      let url: URL | undefined = rawAddress(api.base, request.path);
      const findNextPage = createNextPageFinder(callOf({ method: rawMethod(request.method), url }));
      const digests = await createDigests();
      for (let page = 1; url !== undefined; page++) {
        const response: FinalResponse & RawResponse = await sendTo(request, url, page);
        const { body, isNew } = digests(response.body);
        yield { ...response, body };
        url = findNextPage(response, isNew());
      }
    },
  };
}

const callOf = ({ method, url }: Pick<Request, 'method' | 'url'>): CallInfo => ({
  method,
  action: `${method} ${url.pathname}`,
});

/** Only a download may take as long as bytes keep arriving. */
const limited = (response: FinalResponse): FinalResponse =>
  mediaType(response.headers).includes('json')
    ? { ...response, body: withinTime(response) }
    : response;

/** The body, of which the beginning is kept where it explains a failure. */
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
