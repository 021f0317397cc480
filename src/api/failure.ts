import { CictlError, type ErrorKind, type MissingName } from '../errors.ts';
import type { FinalResponse } from '../http/send-with-retry.ts';
import { longestAsked } from '../http/headers.ts';
import { readErrorBody, type ErrorBody } from './decode.ts';
import type { CallInfo, Subject } from './call.ts';
import { TransportError, type Response, InvalidResponseError } from '../http/transport.ts';
import { isLoopback } from '../parse/checks.ts';

/** Maps a status to the kind of failure, or to undefined for success (interface.md, section 8). */
export function kindOf(status: number): ErrorKind | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 401 || status === 403) return 'auth';
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limited';
  if (status >= 500 && status < 600) return 'service_failed';
  if (status < 400 || status >= 600) return 'invalid_response';
  return 'refused';
}

export function failure(call: CallInfo, response: FinalResponse, text: string): CictlError {
  const { status } = response;
  const errorBody = readReasons(text);
  const { message, details } = errorBody;
  const { reason, hint, missing } = explain(call, response, errorBody);
  return new CictlError(kindOf(status) ?? 'invalid_response', `cannot ${call.action}: ${reason}`, {
    status,
    details: status === 429 && message !== undefined ? [message, ...details] : details,
    // Users get our own, clearer message; programs may need the service's message.
    ...(status === 404 && message !== undefined && { serviceMessage: message }),
    ...(hint !== undefined && { hint }),
    ...(missing && { missing }),
    ...(response.retryAfter !== undefined && { retryAfter: response.retryAfter }),
  });
}

function readReasons(text: string): ErrorBody {
  const errorBody = readErrorBody(text);
  if (errorBody.isJson || !/^\s*\{/.test(text)) return errorBody;
  const [, message] = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/s.exec(text) ?? [];
  return message === undefined ? errorBody : readErrorBody(`{"message":${message}}`);
}

interface Explanation {
  readonly reason: string;
  readonly hint?: string | undefined;
  readonly missing?: MissingName;
}

function explain(call: CallInfo, response: FinalResponse, errorBody: ErrorBody): Explanation {
  const { status } = response;
  const message = errorBody.message ?? `the service returned ${status}`;
  if (status === 401)
    return {
      reason: `the service rejected the token: ${message}`,
      hint: call.login ?? 'cictl auth login',
    };
  if (status === 403)
    return { reason: forbidden(call, response, message), hint: 'cictl auth status' };
  if (status === 404) return explainNotFound(call, response, errorBody);
  if (status === 429) return limited(response);
  if (status >= 500)
    return { reason: `the service failed (${status})${colon(errorBody)}${mayHaveArrived(call)}` };
  if (status < 400)
    return {
      reason: `the service returned ${status}, which is not followed for ${call.method} requests${mayHaveArrived(call)}`,
    };
  return { reason: message };
}

const colon = ({ message }: ErrorBody): string => (message === undefined ? '' : `: ${message}`);

/** Adds the required scope to the message, unless the token already has that scope. */
function forbidden(call: CallInfo, { headers }: FinalResponse, message: string): string {
  const scope = headers['x-accepted-oauth-scopes'] ?? call.scope;
  const owned = headers['x-oauth-scopes']?.split(/[\s,]+/) ?? [];
  if (scope === undefined || scope === '' || message.includes(scope)) return message;
  return owned.includes(scope) ? message : `${message} (requires the scope ${scope})`;
}

function limited({ tooLong, totalWait = 0 }: FinalResponse): Explanation {
  const used = 'rate limit exceeded';
  if (tooLong === undefined) return { reason: `${used} after all attempts` };
  if (tooLong >= longestAsked)
    return { reason: `${used}, and the service asked to wait a year or more` };
  const before = totalWait > tooLong ? ' more' : '';
  return {
    reason: `${used}, and the requested wait of ${seconds(tooLong)} s${before} is longer than --max-wait`,
    hint: `add --max-wait ${seconds(totalWait)}s`,
  };
}

const seconds = (ms: number): number => Math.ceil(ms / 1000);

export function explainNotFound(
  { subject = {} }: CallInfo,
  { url }: FinalResponse,
  { message, isJson }: ErrorBody,
): Explanation {
  const [, word, why = ''] =
    /^No (organization|pipeline|build|job|log|rule) found(: .+)?/i.exec(message ?? '') ?? [];
  const kind = (word?.toLowerCase() ?? deepest(subject)) as Kind | undefined;
  const { name, hint } = kind === undefined ? {} : describe(kind, subject);
  if (kind === undefined || name === undefined) {
    return { reason: message ?? `${url.origin} has no ${url.pathname}` };
  }
  const isPlain = word !== undefined || message === undefined || /^not found\.?$/i.test(message);
  const errorBody = isPlain ? '' : ` (${message})`;
  const reason = `${kind} ${name} was not found${why}${errorBody}`;
  if (!isJson) return { reason: `${reason}; ${url.origin} may not be a CI service` };
  const isPlainName = /^[\w.-]*$/.test(`${subject.org ?? ''}${subject.pipeline ?? ''}`);
  const missing = missingName(kind, subject);
  return { reason, ...(isPlainName && { hint }), ...(missing && { missing }) };
}

/** Only organizations and pipelines have slugs that users may misspell. */
function missingName(kind: Kind, { org, pipeline }: Subject): MissingName | undefined {
  if (org === undefined) return undefined;
  if (kind === 'organization') return { kind, slug: org };
  return kind === 'pipeline' && pipeline !== undefined ? { kind, slug: pipeline, org } : undefined;
}

type Kind = 'organization' | 'pipeline' | 'build' | 'job' | 'log' | 'rule';

function deepest({ org, pipeline, number, job, rule }: Subject): Kind | undefined {
  if (rule !== undefined) return 'rule';
  if (job !== undefined) return 'job';
  if (number !== undefined) return 'build';
  if (pipeline !== undefined) return 'pipeline';
  return org === undefined ? undefined : 'organization';
}

/** The name of the missing item, and a command that lists the items that exist. */
function describe(kind: Kind, { org, pipeline, number, job, rule }: Subject) {
  const path = [org, pipeline, number].map((part) => part ?? '');
  const list = `cictl job list ${path.join('/')}`;
  const named = (...parts: (string | number | undefined)[]): string | undefined =>
    parts.includes(undefined) ? undefined : parts.join('/');
  const names: Record<Kind, { name: string | undefined; hint: string }> = {
    organization: { name: org, hint: 'cictl orgs list' },
    pipeline: {
      name: named(org, pipeline),
      hint: `cictl builds list --org ${org ?? ''} --all-pipelines`,
    },
    build: {
      name: named(org, pipeline, number),
      hint: `cictl builds list ${path.slice(0, 2).join('/')}`,
    },
    job: { name: job, hint: list },
    log: { name: job && `of job ${job}`, hint: list },
    rule: { name: rule, hint: `cictl rules list --org ${org ?? ''}` },
  };
  return names[kind];
}

export function toCictlError(call: CallInfo, error: unknown): unknown {
  if (error instanceof InvalidResponseError) {
    const message = `cannot ${call.action}: ${error.message}${mayHaveArrived(call)}`;
    return new CictlError('invalid_response', message, { hint: 'cictl auth status' });
  }
  if (error instanceof CictlError && error.kind === 'timeout')
    return new CictlError('timeout', `cannot ${call.action}: ${error.message}`);
  if (!(error instanceof TransportError)) return error;
  const arrived = error.reached === 'maybe' ? mayHaveArrived(call) : '';
  const otherwise = error.isWrongResponse ? 'invalid_response' : 'unreachable';
  const kind = error.cause instanceof CictlError ? error.cause.kind : otherwise;
  const isLocal = isLoopback(unreachableHost(error.message)) && error.reached === 'no';
  return new CictlError(kind, `cannot ${call.action}: ${error.message}${arrived}`, {
    cause: error,
    ...(isLocal ? { hint: 'cictl local up' } : {}),
  });
}

/** Returns the host in a transport error message, or '' if the request went through a proxy. */
const unreachableHost = (message: string): string =>
  /^cannot reach https?:\/\/(\[.*?\]|[^:/]+)[:/](?!.*\(through the proxy)/.exec(message)?.[1] ?? '';

const mayHaveArrived = ({ method }: CallInfo): string =>
  method === 'GET' ? '' : '; the request may have arrived, so it is not sent again';

export function withCictlErrors(response: Response, call: CallInfo): Response {
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      yield* response.body;
    } catch (error) {
      throw toCictlError(call, error);
    }
  }
  return { ...response, body: body() };
}
