import { CictlError } from '../errors.ts';
import { TransportError, type Response } from '../http/transport.ts';
import { isLoopback } from '../parse/loopback.ts';
import type { CallInfo } from './call.ts';
import { InvalidResponseError } from '../http/invalid-response-error.ts';

/** Turns whatever a call throws into an error for users. */
export function toCictlError(call: CallInfo, error: unknown): unknown {
  if (error instanceof InvalidResponseError) {
    const hint = 'cictl auth status';
    return new CictlError(
      'invalid_response',
      `cannot ${call.action}: ${error.message}${mayHaveArrived(call)}`,
      { hint },
    );
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

/** Of a message of the transport; empty where a proxy stands between. */
const unreachableHost = (message: string): string =>
  /^cannot reach https?:\/\/(\[.*?\]|[^:/]+)[:/](?!.*\(through the proxy)/.exec(message)?.[1] ?? '';

/** Added to every failure of a call that may have taken effect. */
export const mayHaveArrived = ({ method }: CallInfo): string =>
  method === 'GET' ? '' : '; it may have arrived, and is not sent again';

/** A response whose body, read later, fails as the call does. */
export const withCictlErrors = (response: Response, call: CallInfo): Response => ({
  ...response,
  body: bodyWithCictlErrors(response.body, call),
});

async function* bodyWithCictlErrors(
  body: Response['body'],
  call: CallInfo,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw toCictlError(call, error);
  }
}
