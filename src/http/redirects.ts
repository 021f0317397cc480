import { InvalidResponseError, readStart } from './read-body.ts';
import { decoded } from './decode-body.ts';
import { checkRange } from './range.ts';
import type { Request, Response, Transport } from './transport.ts';
import type { Clock } from '../clock.ts';

/** An answer after all redirects and repeated tries. */
export interface FinalResponse extends Response {
  /** Where it came from. */
  readonly url: URL;
  /** Milliseconds that the service asks to wait, where that is more than is allowed. */
  readonly tooLong?: number;
  /** With what the call had waited before: what it would have needed. */
  readonly inAll?: number;
  /** Milliseconds that it asks to wait, where it was busy to the end. */
  readonly asked?: number;
}

export interface RedirectOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  debug(line: string): void;
}

/** Redirects, for GET and within one origin alone: the token goes with the request. */
export async function followRedirects(
  request: Request,
  options: RedirectOptions,
): Promise<FinalResponse> {
  let { url } = request;
  for (let hops = 0; hops <= 5; hops++) {
    const start = options.clock.now();
    const sent = await options.transport.send({ ...request, url, signal: options.signal });
    const answer = decoded(sent);
    options.debug(
      `${request.method} ${url.href} -> ${answer.status} in ${options.clock.now() - start} ms`,
    );
    const target = request.method === 'GET' ? redirect(answer, url) : undefined;
    if (target === undefined) {
      const isHead = request.method === 'HEAD';
      return { ...(isHead ? answer : checkRange(answer, request.headers['range'])), url };
    }
    await readStart(answer);
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
