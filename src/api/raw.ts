import type { Answer } from '../http/send.ts';
import type { Request, Response } from '../http/transport.ts';
import type { ClientOptions } from './client.ts';
import { dispatch, type Api } from './exchange.ts';
import { told } from './failure.ts';
import { createWalk } from './page.ts';
import { rawAddress, rawHeaders, rawMethod } from './raw-parts.ts';

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

/** An answer of any status, with its body unread. */
export type RawResponse = Response;

export interface Raw {
  raw(request: RawRequest): Promise<RawResponse>;
  /** Follows `Link: rel="next"`; the body of one page must be read before the next is asked for. */
  rawPages(request: RawRequest): AsyncIterable<RawResponse>;
}

/** Requests to the REST API as a user writes them; nothing is read into the answers. */
export function raw(api: Api, options: ClientOptions): Raw {
  const sendTo = (request: RawRequest, url: URL): Promise<Answer> => {
    const prepared = prepare(request, url, api, options);
    return dispatch(prepared, call(prepared), options, (answer) =>
      Promise.resolve({ ...answer, body: toldBody(answer.body, prepared) }),
    );
  };
  return {
    // Asynchronous, so that a bad address rejects as every other failure does.
    raw: async (request) => sendTo(request, rawAddress(api.base, request.path)),
    async *rawPages(request) {
      const walk = createWalk();
      let url: URL | undefined = rawAddress(api.base, request.path);
      while (url !== undefined) {
        const answer: Answer = await sendTo(request, url);
        yield answer;
        url = following(answer, request, walk);
      }
    },
  };
}

const call = ({ method, url }: Pick<Request, 'method' | 'url'>) => ({
  method,
  doing: `${method} ${url.pathname}`,
});

function prepare(request: RawRequest, url: URL, api: Api, options: ClientOptions): Request {
  const { body } = request;
  return {
    method: rawMethod(request.method),
    url,
    headers: {
      accept: 'application/json',
      'user-agent': options.userAgent,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...rawHeaders(request.headers ?? {}),
      authorization: api.authorization(),
    },
    ...(body === undefined ? {} : { body }),
    timeout: options.requestTimeout,
  };
}

function following(
  answer: Answer,
  { method }: RawRequest,
  walk: (answer: Answer) => URL | undefined,
): URL | undefined {
  try {
    return walk(answer);
  } catch (error) {
    throw told(call({ method: rawMethod(method), url: answer.url }), error);
  }
}

async function* toldBody(body: Response['body'], request: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw told(call(request), error);
  }
}
