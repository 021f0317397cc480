import { readBodyStart } from './read-body.ts';
import { followRedirects, type FinalResponse, type RedirectOptions } from './redirects.ts';
import { rateLimitWait } from './rate-limit.ts';
import { decideRetry, type RetryDecision, type AttemptResult } from './retry.ts';
import { TransportError, type Request, type Response } from './transport.ts';

export interface SendOptions extends RedirectOptions {
  readonly random: () => number;
  /** Milliseconds that one call may wait in all because it is asked to. */
  readonly maxWait: number;
  /** A wait of more than a second. */
  notice(line: string): void;
}

/**
 * Sends a request, again where that is safe, and passes the response, of any status, to `use`. What
 * `use` reads belongs to the attempt: a GET whose body breaks off is repeated. Throws
 * `TransportError`, `InvalidResponseError`, or what `use` throws.
 */
export async function sendWithRetry<T>(
  request: Request,
  options: SendOptions,
  use: (response: FinalResponse) => Promise<T>,
): Promise<T> {
  let waited = 0;
  for (let number = 1; ; number++) {
    const decideNext = (ending: AttemptResult): RetryDecision =>
      decideRetry({
        ...{ method: request.method, number, result: ending, waited },
        ...{ maxWait: options.maxWait, random: options.random() },
      });
    const result = await attempt(request, options, decideNext, use);
    if ('value' in result) return result.value;
    waited += result.retryAfter;
    reportWait(result, options);
    await options.clock.sleep(result.wait, options.signal);
  }
}

type Pause = { readonly wait: number; readonly retryAfter: number; readonly reason: string };

async function attempt<T>(
  request: Request,
  options: SendOptions,
  decideNext: (result: AttemptResult) => RetryDecision,
  use: (response: FinalResponse) => Promise<T>,
): Promise<{ value: T } | Pause> {
  try {
    const response = await withWholeText(await followRedirects(request, options));
    const retryAfter = isBusy(response) ? rateLimitWait(response, options.clock.now()) : undefined;
    const { status } = response;
    const decision = decideNext({ kind: 'response', status, retryAfter });
    if (!decision.again) {
      const limits = {
        ...tooLong(decision),
        ...(retryAfter !== undefined && { retryAfter }),
      };
      return { value: await use({ ...response, ...limits }) };
    }
    await readBodyStart(response);
    return {
      ...decision,
      reason: status === 429 ? 'its rate limit is used up' : `it answers ${status}`,
    };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    options.debug(`${request.method} ${request.url.href}: ${error.message}`);
    const decision = decideNext({
      kind: 'error',
      reached: error.reached,
      isLasting: error.isLasting,
    });
    if (!decision.again) throw error;
    return { ...decision, reason: error.message };
  }
}

const isBusy = ({ status }: Response): boolean => status === 429 || status === 503;

/** The text of a response that says "later" is read at once: it may say how long. */
async function withWholeText(response: FinalResponse): Promise<FinalResponse & { text?: string }> {
  if (!isBusy(response)) return response;
  const text = await readBodyStart(response);
  return { ...response, text, body: once(text) };
}

// eslint-disable-next-line @typescript-eslint/require-await -- a body is asynchronous by contract
async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

const tooLong = ({ tooLong, totalWait }: { tooLong?: number; totalWait?: number }) => ({
  ...(tooLong !== undefined && { tooLong }),
  ...(totalWait !== undefined && { totalWait }),
});

function reportWait({ wait, reason }: Pause, options: SendOptions): void {
  const line = `waiting ${(wait / 1000).toFixed(1)} s for the service: ${reason}`;
  if (wait > 1000) options.notice(line);
  else options.debug(line);
}
