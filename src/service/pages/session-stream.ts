import { onAbort } from '../../common/abort.ts';
import { ApiError } from '../http/api-error.ts';
import type { RouteResponse } from '../http/response.ts';

/** What the session of a stream is asked. */
export interface StreamSession {
  /** For the forms of a page that was made in an earlier session. */
  readonly formToken: string;
  isOver(): boolean;
  /** Called when the stream has ended. */
  readonly ended?: () => void;
}

/** A response that goes on while its session does; one that is whole stays as it is. */
export function withinSession(response: RouteResponse, session: StreamSession): RouteResponse {
  const { body, headers } = response;
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return response;
  return {
    ...response,
    headers: { ...headers, 'form-token': session.formToken },
    body: until(session, body),
  };
}

async function* until(session: StreamSession, body: AsyncIterable<Uint8Array>) {
  try {
    for await (const piece of body) {
      if (session.isOver()) return;
      yield piece;
    }
  } finally {
    session.ended?.();
  }
}

/** Event streams at once: of one session, and of all. */
const mostOfSession = 100;
const mostOfAll = 300;

/** Seconds after which a page without a stream tries again. */
const retryAfter = '15';

/**
 * Counts the event streams of sessions. `take` gives the function that ends the count of a stream; so does the end of
 * its request. Throws `ApiError` 429 if there are too many.
 */
export function createStreamLimit(ofSession = mostOfSession, ofAll = mostOfAll) {
  const open = new Map<object, number>();
  let all = 0;
  return {
    take(session: object, signal: AbortSignal): () => void {
      const own = open.get(session) ?? 0;
      if (own >= ofSession || all >= ofAll)
        throw new ApiError(429, 'Too many pages are open to update all of them live', {
          headers: { 'retry-after': retryAfter },
        });
      open.set(session, own + 1);
      all++;
      let isOpen = true;
      const leave = (): void => {
        if (!isOpen) return;
        isOpen = false;
        stopListening();
        all--;
        const left = (open.get(session) ?? 1) - 1;
        if (left === 0) open.delete(session);
        else open.set(session, left);
      };
      let stopListening = (): void => undefined;
      stopListening = onAbort(signal, leave);
      return leave;
    },
  };
}
