import type { Response } from '../http/transport.ts';

/** A request of the user's own making. */
export interface RawRequest {
  readonly method: string;
  /** `builds?state=passed`, `/v2/builds`, or an address of the service's origin. */
  readonly path: string;
  /** Names in any case; they win over the client's own, except `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** An answer of any status, with its body unread. */
export type RawResponse = Response;

export interface Raw {
  raw(request: RawRequest): Promise<RawResponse>;
  /** Follows `Link: rel="next"`; the body of one page must be read before the next is asked for. */
  rawPages(request: RawRequest): AsyncIterable<RawResponse>;
}
