import { readBodyStart, decodeBody, checkRange } from './body.ts';
import { type Request, type Response, type Transport, InvalidResponseError } from './transport.ts';
import type { Clock } from '../common/clock.ts';

export interface FinalResponse extends Response {
  readonly url: URL;
  /** Milliseconds that the service asks to wait, if that exceeds `--max-wait` */
  readonly tooLong?: number;
  /** `tooLong` plus the time already waited: the `--max-wait` that would be needed */
  readonly totalWait?: number;
  /** Milliseconds that the service asks to wait, if the last attempt was rejected too */
  readonly retryAfter?: number;
}

export interface RedirectOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  debug(line: string): void;
}

/** Follows redirects only for GET and only within one origin, because the token is sent along. */
export async function followRedirects(
  request: Request,
  options: RedirectOptions,
): Promise<FinalResponse> {
  let { url } = request;
  for (let hops = 0; hops <= 5; hops++) {
    const start = options.clock.now();
    const sent = await options.transport.send({ ...request, url, signal: options.signal });
    const response = decodeBody(sent);
    options.debug(
      `${request.method} ${url.href} -> ${response.status} in ${options.clock.now() - start} ms`,
    );
    const target = request.method === 'GET' ? redirect(response, url) : undefined;
    if (target === undefined) {
      const isHead = request.method === 'HEAD';
      return { ...(isHead ? response : checkRange(response, request.headers['range'])), url };
    }
    await readBodyStart(response);
    if (target.origin !== url.origin) {
      throw new InvalidResponseError(
        `the service redirects to ${target.origin}, where the token does not belong`,
      );
    }
    url = target;
  }
  throw new InvalidResponseError('the service redirects without end');
}

function redirect({ status, headers }: Response, base: URL): URL | undefined {
  const { location } = headers;
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  if (!URL.canParse(location, base.href))
    throw new InvalidResponseError('the service redirects to no valid address');
  const target = new URL(location, base);
  target.username = '';
  target.password = '';
  target.hash = '';
  return target;
}
