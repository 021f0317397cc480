/** What a request that failed is reported as: pure, by how far it had come. */
import { isWrongResponse, networkErrorText } from './network-error-text.ts';
import { TransportError, type Reached, type Request } from './transport.ts';

/** How far a request has come. */
export interface Progress {
  /** From then on it may have arrived. */
  readonly isSent: boolean;
  /** The head of the response is there. */
  readonly hasHead: boolean;
}

const reached = ({ isSent }: Progress): Reached => (isSent ? 'maybe' : 'no');

export const timeoutError = ({ url, timeout }: Request, progress: Progress): TransportError =>
  new TransportError(`no answer from ${url.origin} within ${seconds(timeout)}`, reached(progress));

/** Nothing more of the body came in time. */
export const stallError = ({ url, timeout }: Request): TransportError =>
  new TransportError(`nothing more came from ${url.origin} for ${seconds(timeout)}`, 'maybe');

/** The signal's reason; whoever interrupts a change should know that it may have been made. */
export function interruptError({ method }: Request, progress: Progress, reason: unknown): unknown {
  const isLate = method !== 'GET' && progress.isSent && reason instanceof Error;
  return isLate ? new TransportError(reason.message, 'maybe', reason) : reason;
}

/** The connection failed, or what came over it is not HTTP. */
export function brokenError({ url }: Request, progress: Progress, error: Error): TransportError {
  const verb = isWrongResponse(error) ? 'understand' : 'reach';
  const what = progress.hasHead ? 'the answer broke off' : `cannot ${verb} ${url.origin}`;
  return new TransportError(`${what}: ${networkErrorText(error)}`, reached(progress), error);
}

const seconds = (ms: number): string => `${ms / 1000} s`;
