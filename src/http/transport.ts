/** Sends one request. Does not retry, redirect or parse. Implemented by `undici-transport.ts`. */
import { isWrongResponse } from './network-error-text.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';

export interface Request {
  readonly method: Method;
  readonly url: URL;
  /** Names are in lower case */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly signal?: AbortSignal;
  /** Maximum milliseconds until the response headers, and between chunks of the body */
  readonly timeout: number;
}

export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Must be read or canceled; reading may throw `TransportError` */
  readonly body: AsyncIterable<Uint8Array>;
  readonly timeout?: number;
}

export interface Transport {
  send(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** Whether the request may have reached the service, so that repeating it may not be safe. */
export type Reached = 'no' | 'maybe';

export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly reached: Reached;
  readonly isLasting: boolean;
  readonly isWrongResponse: boolean;

  constructor(message: string, reached: Reached, cause?: unknown) {
    super(message, { cause });
    this.reached = reached;
    this.isWrongResponse = isWrongResponse(cause);
    this.isLasting = cause instanceof ProxyError && cause.isLasting;
  }
}

/** The message completes the sentence "the proxy …: " and never contains the password. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly isLasting: boolean;

  constructor(message: string, isLasting = false) {
    super(message);
    this.isLasting = isLasting;
  }
}

/** An unusable response, such as a redirect to another host, an endless body or HTML. */
export class InvalidResponseError extends Error {
  override readonly name = 'InvalidResponseError';
}
