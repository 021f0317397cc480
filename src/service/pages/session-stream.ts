import type { RouteResponse } from '../http/response.ts';

/** What the session of a stream is asked. */
export interface StreamSession {
  /** For the forms of a page that was made in an earlier session. */
  readonly formToken: string;
  isOver(): boolean;
}

/** A response that goes on while its session does; one that is whole stays as it is. */
export function withinSession(response: RouteResponse, session: StreamSession): RouteResponse {
  const { body, headers } = response;
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return response;
  return {
    ...response,
    headers: { ...headers, 'form-token': session.formToken },
    body: until(() => session.isOver(), body),
  };
}

async function* until(isOver: () => boolean, body: AsyncIterable<Uint8Array>) {
  for await (const piece of body) {
    if (isOver()) return;
    yield piece;
  }
}
