/** The service's own API in the name of who is signed in: what it refuses, the pages refuse. */
import { ApiError } from '../http/api-error.ts';
import { createApp, type AppOptions } from '../http/app.ts';
import type { Caller, Route } from '../http/route.ts';

export interface SessionApi {
  /**
   * The response to a request, parsed. `path` with its query: `/v2/organizations/local/builds?page=2`.
   * Throws `ApiError` with the status and the message of a refusal.
   */
  request(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown>;
  /** The same, as it comes: streams, and lists with their `Link`. */
  fetch(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

/** Of all callers: the routes are read once. */
export function sessionApis(
  options: Pick<AppOptions, 'service' | 'adminToken'>,
  routes: readonly Route[],
) {
  const { base } = options.service.urls;
  const app = createApp({
    ...options,
    routes: routes.filter(({ audience }) => audience === 'access'),
    reach: { originOf: () => base },
    rateLimiter: undefined,
    callerOf: (env) => (env as { caller: Caller }).caller,
  });
  return (caller: Caller): SessionApi => {
    const send = async (method: string, path: string, init: RequestInit = {}) => {
      const response = await app(new Request(base + path, { method, ...init }), { caller });
      // What leads elsewhere is no refusal.
      if (response.status < 400) return response;
      throw await errorOf(response);
    };
    return {
      async request(method, path, body) {
        const response = await send(method, path, body && { body: JSON.stringify(body) });
        return response.status === 204 ? undefined : await response.json();
      },
      fetch: (path, headers = {}) => send('GET', path, { headers }),
    };
  };
}

async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  try {
    const { message, errors } = JSON.parse(text) as {
      message: string;
      errors?: ApiError['errors'];
    };
    return new ApiError(response.status, message, { errors: errors ?? [] });
  } catch {
    return new ApiError(response.status, text);
  }
}
