import { readStart } from './read-body.ts';
import { followRedirects, type FinalResponse, type RedirectOptions } from './redirects.ts';
import { askedWait } from './rate-limit.ts';
import { decide, type Decision, type Ending } from './retry.ts';
import { TransportError, type Request, type Response } from './transport.ts';

export interface SendOptions extends RedirectOptions {
  readonly random: () => number;
  /** Milliseconds that one call may wait in all because it is asked to. */
  readonly maxWait: number;
  /** A wait of more than a second. */
  notice(line: string): void;
}

/**
 * Sends a request, again where that is safe, and gives the answer, of any status, to `use`. What
 * `use` reads belongs to the try: a GET whose body breaks off is repeated. Throws
 * `TransportError`, `AnswerError`, or what `use` throws.
 */
export async function sendWithRetry<T>(
  request: Request,
  options: SendOptions,
  use: (answer: FinalResponse) => Promise<T>,
): Promise<T> {
  let waited = 0;
  for (let number = 1; ; number++) {
    const judge = (ending: Ending): Decision =>
      decide({
        ...{ method: request.method, number, ending, waited },
        ...{ maxWait: options.maxWait, random: options.random() },
      });
    const result = await attempt(request, options, judge, use);
    if ('value' in result) return result.value;
    waited += result.asked;
    reportWait(result, options);
    await options.clock.sleep(result.wait, options.signal);
  }
}

type Pause = { readonly wait: number; readonly asked: number; readonly why: string };

async function attempt<T>(
  request: Request,
  options: SendOptions,
  judge: (ending: Ending) => Decision,
  use: (answer: FinalResponse) => Promise<T>,
): Promise<{ value: T } | Pause> {
  try {
    const answer = await withWholeText(await followRedirects(request, options));
    const asked = isBusy(answer) ? askedWait(answer, options.clock.now()) : undefined;
    const { status } = answer;
    const decision = judge({ kind: 'answer', status, asked });
    if (!decision.again) {
      const limits = { ...tooLong(decision), ...(asked !== undefined && { asked }) };
      return { value: await use({ ...answer, ...limits }) };
    }
    await readStart(answer);
    return {
      ...decision,
      why: status === 429 ? 'its rate limit is used up' : `it answers ${status}`,
    };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    options.debug(`${request.method} ${request.url.href}: ${error.message}`);
    const decision = judge({ kind: 'fault', reached: error.reached, isLasting: error.isLasting });
    if (!decision.again) throw error;
    return { ...decision, why: error.message };
  }
}

const isBusy = ({ status }: Response): boolean => status === 429 || status === 503;

/** The text of an answer that says "later" is read at once: it may say how long. */
async function withWholeText(answer: FinalResponse): Promise<FinalResponse & { text?: string }> {
  if (!isBusy(answer)) return answer;
  const text = await readStart(answer);
  return { ...answer, text, body: once(text) };
}

// eslint-disable-next-line @typescript-eslint/require-await -- a body is asynchronous by contract
async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

const tooLong = ({ tooLong, inAll }: { tooLong?: number; inAll?: number }) => ({
  ...(tooLong !== undefined && { tooLong }),
  ...(inAll !== undefined && { inAll }),
});

function reportWait({ wait, why }: Pause, options: SendOptions): void {
  const line = `waiting ${(wait / 1000).toFixed(1)} s for the service: ${why}`;
  if (wait > 1000) options.notice(line);
  else options.debug(line);
}
