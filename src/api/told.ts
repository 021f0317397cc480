import { CictlError } from '../errors.ts';
import { AnswerError } from '../http/body.ts';
import { TransportError, type Response } from '../http/transport.ts';
import type { Call } from './caller.ts';

/** What a failure needs to know of the call. */
export type Told = Pick<Call, 'method' | 'doing' | 'scope' | 'subject' | 'login'>;

/** Whatever a call may throw as what a user may see. */
export function told(call: Told, error: unknown): unknown {
  if (error instanceof AnswerError) {
    const hint = 'cictl auth status';
    return new CictlError(
      'invalid_response',
      `cannot ${call.doing}: ${error.message}${mayHaveArrived(call)}`,
      { hint },
    );
  }
  if (!(error instanceof TransportError)) return error;
  const arrived = error.reached === 'maybe' ? mayHaveArrived(call) : '';
  const otherwise = error.isWrongAnswer ? 'invalid_response' : 'unreachable';
  const kind = error.cause instanceof CictlError ? error.cause.kind : otherwise;
  const isLocal = local.test(error.message) && error.reached === 'no';
  return new CictlError(kind, `cannot ${call.doing}: ${error.message}${arrived}`, {
    cause: error,
    ...(isLocal ? { hint: 'cictl local up' } : {}),
  });
}

const local =
  /^cannot reach https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])[:/](?!.*\(through the proxy)/;

/** Belongs to every failure of a call that may have done its work. */
export const mayHaveArrived = ({ method }: Told): string =>
  method === 'GET' ? '' : '; it may have arrived, and is not sent again';

/** An answer whose body, read later, fails as the call does. */
export const toldStream = (answer: Response, call: Told): Response => ({
  ...answer,
  body: toldBody(answer.body, call),
});

async function* toldBody(body: Response['body'], call: Told): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw told(call, error);
  }
}
