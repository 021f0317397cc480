import { readBodyStart, readBodyText } from '../http/read-body.ts';
import type { FinalResponse } from '../http/redirects.ts';
import { notPlainText } from '../http/media-type.ts';
import type { Response } from '../http/transport.ts';
import { decodeArray, decodeObject } from './decode.ts';
import type { SendRequest } from './send-request.ts';
import type { Pages } from './page.ts';
import { pages, type FetchAhead } from './pages.ts';
import { withCictlErrors } from './to-cictl-error.ts';
import type { Validate } from './validators.ts';
import type { Call } from './call.ts';
import { InvalidResponseError } from '../http/invalid-response-error.ts';

/** Requests to the REST API by kind of response. All throw `CictlError`, or `DryRun`. */
export interface RestClient {
  /** A JSON object. When anything in it is wrong, the call fails and nothing of it is used. */
  one<T extends object>(call: Call, validate: Validate): Promise<T>;
  /** A JSON array in one piece. */
  many<T extends object>(call: Call): Promise<T[]>;
  /**
   * A JSON array in pages; the next page is requested when the one before was consumed. `isFixed`:
   * what is created later alone joins the list, and at its beginning, so that pages may be fetched
   * ahead.
   */
  pages<T extends object>(call: Call, isFixed?: boolean): Pages<T>;
  /** Nothing, which is what 204 says. Any other success is no proof that it was done. */
  none(call: Call): Promise<void>;
  text(call: Call): Promise<string>;
  /** A body as it arrives. */
  stream(call: Call, through?: Through): Promise<Response>;
}

/** Checks a body as it is read; may throw `InvalidResponseError`. */
export type Through = (body: Response['body']) => Response['body'];

/** The REST API over one function that sends a request; `fetchAhead` is for long lists. */
export const createRestClient = (send: SendRequest, fetchAhead?: FetchAhead): RestClient => ({
  one: <T extends object>(call: Call, validate: Validate) =>
    send(
      call,
      async (response) => valid(decodeObject(await readBodyText(response)), validate) as T,
    ),
  many: <T extends object>(call: Call) =>
    send(call, async (response) => decodeArray(await readBodyText(response)) as T[]),
  pages: <T extends object>(call: Call, isFixed = false) =>
    pages<T>(send, call, isFixed ? fetchAhead : undefined),
  none: (call) =>
    send(call, async (response) => {
      const text = await readBodyStart(response);
      if (response.status === 204) return;
      const what = isPage(response, text) ? ' with a page of HTML' : '';
      throw new InvalidResponseError(
        `the service answers ${response.status}${what} instead of 204`,
      );
    }),
  text: (call) => send(call, (response) => readBodyText(checkText(response, call))),
  stream: (call, through = (body) => body) =>
    send(call, (response) => {
      const { body } = checkText(response, call);
      return Promise.resolve(withCictlErrors({ ...response, body: through(body) }, call));
    }),
});

function valid(response: Record<string, unknown>, validate: Validate): object {
  const error = validate(response);
  if (error === undefined) return response;
  throw new InvalidResponseError(error);
}

const isPage = (response: FinalResponse, text: string): boolean =>
  isHtml(response) || /^\s*</.test(text);

const isHtml = ({ headers }: FinalResponse): boolean =>
  /^\s*text\/html\b/i.test(headers['content-type'] ?? '');

/** A sign-in page of some proxy is not the requested text; with 416 no text comes, whatever the body says. */
function checkText(response: FinalResponse, { accept = 'application/json' }: Call): FinalResponse {
  if (response.status === 416) return response;
  const other = accept === 'text/plain' ? notPlainText(response.headers) : undefined;
  if (other !== undefined) throw new InvalidResponseError(`the answer is ${other} instead of text`);
  if (accept !== 'application/json' || !isHtml(response)) return response;
  throw new InvalidResponseError('the answer is HTML instead of JSON');
}
