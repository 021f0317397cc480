import { InvalidResponseError, readStart, readText } from '../http/read-body.ts';
import type { FinalResponse } from '../http/redirects.ts';
import { notPlainText } from '../http/media-type.ts';
import type { Response } from '../http/transport.ts';
import { decodeArray, decodeObject } from './decode.ts';
import type { SendRequest } from './request.ts';
import type { Pages } from './page.ts';
import { pages } from './pages.ts';
import { withCictlErrors } from './to-cictl-error.ts';
import type { Validate } from './validate.ts';
import type { Call } from './call.ts';

/** The ways in which the REST API answers. All throw `CictlError`, or `DryRun`. */
export interface RestClient {
  /** A JSON object. What is wrong with it ends the call, and nothing of it is used. */
  one<T extends object>(call: Call, validate: Validate): Promise<T>;
  /** A JSON array in one piece. */
  many<T extends object>(call: Call): Promise<T[]>;
  /** A JSON array in pages; the next page is asked for when the one before has been taken. */
  pages<T extends object>(call: Call): Pages<T>;
  /** Nothing, which is what 204 says. Any other success is no proof that it was done. */
  none(call: Call): Promise<void>;
  text(call: Call): Promise<string>;
  /** A body as it arrives. */
  stream(call: Call, through?: Through): Promise<Response>;
}

/** Looks at a body as it passes; may throw `AnswerError`. */
export type Through = (body: Response['body']) => Response['body'];

/** The REST API over one exchange. */
export const createRestClient = (exchange: SendRequest): RestClient => ({
  one: <T extends object>(call: Call, validate: Validate) =>
    exchange(call, async (answer) => valid(decodeObject(await readText(answer)), validate) as T),
  many: <T extends object>(call: Call) =>
    exchange(call, async (answer) => decodeArray(await readText(answer)) as T[]),
  pages: <T extends object>(call: Call) => pages<T>(exchange, call),
  none: (call) =>
    exchange(call, async (answer) => {
      const text = await readStart(answer);
      if (answer.status === 204) return;
      const what = isPage(answer, text) ? ' with a page of HTML' : '';
      throw new InvalidResponseError(`the service answers ${answer.status}${what} instead of 204`);
    }),
  text: (call) => exchange(call, (answer) => readText(checkText(answer, call))),
  stream: (call, through = (body) => body) =>
    exchange(call, (answer) => {
      const { body } = checkText(answer, call);
      return Promise.resolve(withCictlErrors({ ...answer, body: through(body) }, call));
    }),
});

function valid(answer: Record<string, unknown>, validate: Validate): object {
  const fault = validate(answer);
  if (fault === undefined) return answer;
  throw new InvalidResponseError(fault);
}

const isPage = (answer: FinalResponse, text: string): boolean =>
  isHtml(answer) || /^\s*</.test(text);

const isHtml = ({ headers }: FinalResponse): boolean =>
  /^\s*text\/html\b/i.test(headers['content-type'] ?? '');

/** A sign-in page of some proxy is not the text that was asked for. */
function checkText(answer: FinalResponse, { accept = 'application/json' }: Call): FinalResponse {
  const other = accept === 'text/plain' ? notPlainText(answer.headers) : undefined;
  if (other !== undefined) throw new InvalidResponseError(`the answer is ${other} instead of text`);
  if (accept !== 'application/json' || !isHtml(answer)) return answer;
  throw new InvalidResponseError('the answer is HTML instead of JSON');
}
