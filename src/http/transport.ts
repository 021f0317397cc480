/**
 * The port between the client and the network: one exchange, no retry, no redirect, no JSON.
 * `undici-transport.ts` is its only implementation outside tests.
 */
import { isWrongResponse } from './network-error-text.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';

export interface Request {
  readonly method: Method;
  readonly url: URL;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly signal?: AbortSignal;
  /** Milliseconds to the head of the response, and between two pieces of its body. */
  readonly timeout: number;
}

export interface Response {
  readonly status: number;
  /** Lower-case names; a repeated header is joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it arrives; reading it may throw `TransportError`. Must be read or cancelled. */
  readonly body: AsyncIterable<Uint8Array>;
  /** `timeout` of the request. */
  readonly timeout?: number;
}

export interface Transport {
  send(request: Request): Promise<Response>;
  /** Closes idle connections, so that the process can end. */
  close(): Promise<void>;
}

/** Whether the request may have reached the service: decides if it may be sent again. */
export type Reached = 'no' | 'maybe';

/** A network failure or a timeout, below HTTP. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly reached: Reached;
  /** Whether it would fail in the same way again. */
  readonly isLasting: boolean;
  /** Whether something answered that is no usable HTTP. */
  readonly isWrongResponse: boolean;

  constructor(message: string, reached: Reached, cause?: unknown) {
    super(message, { cause });
    this.reached = reached;
    this.isWrongResponse = isWrongResponse(cause);
    this.isLasting = cause instanceof ProxyError && cause.isLasting;
  }
}

/** An error of the proxy, after "the proxy …: ". It never repeats the password. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly isLasting: boolean;

  constructor(message: string, isLasting = false) {
    super(message);
    this.isLasting = isLasting;
  }
}

/** The response of a service cannot be used: a redirect elsewhere, an endless body, HTML. */
export class InvalidResponseError extends Error {
  override readonly name = 'InvalidResponseError';
}
