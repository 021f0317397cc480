import { readBodyStart, readBodyText } from '../http/body.ts';
import type { FinalResponse } from '../http/send-with-retry.ts';
import { notPlainText } from '../http/headers.ts';
import { type Response, InvalidResponseError } from '../http/transport.ts';
import { decodeArray, decodeObject } from './decode.ts';
import type { SendRequest } from './send-request.ts';
import { pages, type FetchAhead } from './pages.ts';
import { withCictlErrors } from './failure.ts';
import type { Call } from './call.ts';
import { bounded } from '../http/network-error-text.ts';
import { stringifyJson } from './json.ts';
import { checkIdentity, checkResource, typeName } from './resources/check.ts';
import type { Resource } from './resources/resource.ts';

export type RestClient = ReturnType<typeof createRestClient>;

export const createRestClient = (send: SendRequest, fetchAhead?: FetchAhead) => ({
  one: <T extends object>(call: Call, validate: Validate) =>
    send(call, async (response) => {
      const object = decodeObject(await readBodyText(response));
      const error = validate(object);
      if (error !== undefined) throw new InvalidResponseError(error);
      return object as T;
    }),
  many: <T extends object>(call: Call) =>
    send(call, async (response) => decodeArray(await readBodyText(response)) as T[]),
  /**
   * Reads a paginated JSON array. `isFixed`: no element disappears, and new elements come first.
   */
  pages: <T extends object>(call: Call, isFixed = false) =>
    pages<T>(send, call, isFixed ? fetchAhead : undefined),
  /** Expects status 204. Any other success does not prove that the change was made. */
  none: (call: Call) =>
    send(call, async (response) => {
      const text = await readBodyStart(response);
      if (response.status === 204) return;
      const isPage = isHtml(response) || /^\s*</.test(text);
      const what = isPage ? ' with an HTML page' : '';
      throw new InvalidResponseError(
        `the service returned ${response.status}${what} instead of 204`,
      );
    }),
  text: (call: Call) => send(call, (response) => readBodyText(checkText(response, call))),
  stream: (call: Call, through = (body: Response['body']) => body) =>
    send(call, (response) => {
      const { body } = checkText(response, call);
      return Promise.resolve(withCictlErrors({ ...response, body: through(body) }, call));
    }),
});

const isHtml = ({ headers }: FinalResponse): boolean =>
  /^\s*text\/html\b/i.test(headers['content-type'] ?? '');

/** Throws if the response is a sign-in page instead of text. Ignores the body of a 416. */
function checkText(response: FinalResponse, { accept = 'application/json' }: Call): FinalResponse {
  if (response.status === 416) return response;
  const other = accept === 'text/plain' ? notPlainText(response.headers) : undefined;
  if (other !== undefined) throw new InvalidResponseError(`the response is ${other}, not text`);
  if (accept !== 'application/json' || !isHtml(response)) return response;
  throw new InvalidResponseError('the response is HTML, not JSON');
}

type Validate = (response: Record<string, unknown>) => string | undefined;

export const readable =
  (resource: Resource): Validate =>
  (response) =>
    checkResource(resource, response);

/** Like `readable`, but the fields in `names` are required. */
export const complete =
  (resource: Resource, names: readonly string[]): Validate =>
  (response) => {
    const missing = names.find((name) => response[name] === undefined || response[name] === null);
    if (missing === undefined) return checkResource(resource, response);
    return `${missing} is ${typeName(response[missing])}`;
  };

/** Accepts any object, for callers that pass it on unchanged. */
export const asItCame: Validate = () => undefined;

/** Checks only the kind of resource: the change was made even if other fields are malformed. */
export const identified =
  (resource: Resource): Validate =>
  (response) =>
    checkIdentity(resource, response);

export const numbered =
  (number: number): Validate =>
  ({ number: sent }) =>
    sent === undefined || sent === null || sent === number
      ? undefined
      : `the response is build ${bounded(stringifyJson(sent), 80)}`;

export const both =
  (...validations: readonly Validate[]): Validate =>
  (response) => {
    for (const validate of validations) {
      const error = validate(response);
      if (error !== undefined) return error;
    }
    return undefined;
  };

/** Checks that `env` maps names to strings or null. Values are not repeated in messages. */
export const environment: Validate = ({ env }) => {
  if (typeof env !== 'object' || env === null || Array.isArray(env)) {
    return `env is ${typeName(env)} instead of an object`;
  }
  const entries: [string, unknown][] = Object.entries(env);
  const wrong = entries.find(([, value]) => value !== null && typeof value !== 'string');
  if (wrong === undefined) return undefined;
  const [name, value] = wrong;
  return `env.${bounded(name, 80)} is ${typeName(value)} instead of a string`;
};
