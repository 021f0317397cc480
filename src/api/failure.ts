import { CictlError, type ErrorKind, type ErrorParts, type MissingName } from '../errors.ts';
import type { FinalResponse } from '../http/redirects.ts';
import { longestAsked } from '../http/seconds.ts';
import { explainNotFound } from './not-found.ts';
import { readErrorBody, type ErrorBody } from './error-body.ts';
import { mayHaveArrived } from './to-cictl-error.ts';
import type { CallInfo } from './call.ts';

/** The kind of failure that a status means, or undefined for success (interface, "Exit codes"). */
export function kindOf(status: number): ErrorKind | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 401 || status === 403) return 'auth';
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limited';
  if (status >= 500 && status < 600) return 'service_failed';
  if (status < 400 || status >= 600) return 'invalid_response';
  return 'refused';
}

/** The error of a response without success, whose body begins with `text`. */
export function failure(call: CallInfo, response: FinalResponse, text: string): CictlError {
  const { status } = response;
  const errorBody = readReasons(text);
  const { reason, hint, missing } = explain(call, response, errorBody);
  const { message } = errorBody;
  const parts: ErrorParts = {
    status,
    details:
      status === 429 && message !== undefined ? [message, ...errorBody.details] : errorBody.details,
    // Our message is easier to read; a program may want that of the service.
    ...(status === 404 && message !== undefined && { serviceMessage: message }),
    ...(hint === undefined ? {} : { hint }),
    ...(missing && { missing }),
    ...(response.retryAfter === undefined ? {} : { retryAfter: response.retryAfter }),
  };
  return new CictlError(
    kindOf(status) ?? 'invalid_response',
    `cannot ${call.action}: ${reason}`,
    parts,
  );
}

/** Of a body that was too long to be read to its end, `message` is enough. */
function readReasons(text: string): ErrorBody {
  const errorBody = readErrorBody(text);
  if (errorBody.isJson || !/^\s*\{/.test(text)) return errorBody;
  const [, message] = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/s.exec(text) ?? [];
  return message === undefined ? errorBody : readErrorBody(`{"message":${message}}`);
}

interface Explanation {
  readonly reason: string;
  readonly hint?: string;
  readonly missing?: MissingName;
}

function explain(call: CallInfo, response: FinalResponse, errorBody: ErrorBody): Explanation {
  const { status } = response;
  const message = errorBody.message ?? `the service answers ${status}`;
  if (status === 401)
    return { reason: `the token was refused: ${message}`, hint: call.login ?? 'cictl auth login' };
  if (status === 403)
    return { reason: forbidden(call, response, message), hint: 'cictl auth status' };
  if (status === 404) return explainNotFound(call, response, errorBody);
  if (status === 429) return limited(response);
  if (status >= 500)
    return { reason: `the service failed (${status})${colon(errorBody)}${mayHaveArrived(call)}` };
  if (status < 400)
    return {
      reason: `the service answers ${status}, which ${call.method} does not follow${mayHaveArrived(call)}`,
    };
  return { reason: message };
}

const colon = ({ message }: ErrorBody): string => (message === undefined ? '' : `: ${message}`);

/** Names the scope that the call needs, unless the token has it. */
function forbidden(call: CallInfo, { headers }: FinalResponse, message: string): string {
  const scope = headers['x-accepted-oauth-scopes'] ?? call.scope;
  const owned = headers['x-oauth-scopes']?.split(/[\s,]+/) ?? [];
  if (scope === undefined || scope === '' || message.includes(scope)) return message;
  return owned.includes(scope) ? message : `${message} (it needs the scope ${scope})`;
}

function limited({ tooLong, totalWait = 0 }: FinalResponse): Explanation {
  const used = 'its rate limit is used up';
  if (tooLong === undefined) return { reason: `${used}, after all tries` };
  if (tooLong >= longestAsked) return { reason: `${used}, and it asks to wait for a year or more` };
  const before = totalWait > tooLong ? ', with what was waited before' : ',';
  return {
    reason: `${used}, and it asks to wait ${seconds(tooLong)} s${before} longer than --max-wait`,
    hint: `add --max-wait ${seconds(totalWait)}s`,
  };
}

const seconds = (ms: number): number => Math.ceil(ms / 1000);
