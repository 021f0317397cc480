import { onAbort } from '../abort.ts';
import type { Clock } from '../clock.ts';
import { rateLimitWait, remaining } from './rate-limit.ts';
import type { Response, Transport } from './transport.ts';

export interface RateGateOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Requests that may be under way at once, where the service allows as many. */
  readonly most: number;
  /** Milliseconds: a service that asks for a longer pause is asked again, for its reason. */
  readonly maxWait: number;
  /** What the service said of its limits before. */
  readonly headers: Response['headers'];
}

/**
 * A transport for requests side by side: as many are under way as `most` and the service's own
 * `RateLimit-Remaining` allow, at least one. When one is refused because of the limit, the others
 * wait as long as the service asks, and then go one by one until it says that more may.
 */
export function createRateGate(options: RateGateOptions): Transport {
  const { transport, clock, most, maxWait } = options;
  let allowed = within(remaining(options.headers), most);
  let [underWay, sent, newest, closedUntil] = [0, 0, 0, 0];
  let waiting: (() => void)[] = [];

  async function enter(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const pause = closedUntil - clock.now();
      if (pause > 0) await clock.sleep(pause, signal);
      else if (underWay < allowed) break;
      else await turn(signal);
    }
    underWay += 1;
  }
  const turn = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const ignore = onAbort(signal, reject);
      waiting.push(() => {
        ignore();
        resolve();
      });
    });
  function leave(): void {
    underWay -= 1;
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  }
  function learn({ status, headers }: Response, number: number): void {
    const left = remaining(headers);
    if (status === 429 || status === 503) {
      const wait = rateLimitWait({ status, headers }, clock.now()) ?? 0;
      if (wait <= maxWait) closedUntil = Math.max(closedUntil, clock.now() + wait);
      allowed = 1;
    } else if (left === undefined) allowed = Math.min(most, allowed + 1);
    // What was said to a later request is newer, whichever response comes first.
    else allowed = number > newest ? within(left, most) : Math.min(allowed, within(left, most));
    newest = Math.max(newest, number);
  }
  return {
    async send(request) {
      await enter(request.signal);
      const number = ++sent;
      try {
        const response = await transport.send(request);
        learn(response, number);
        return { ...response, body: afterwards(response.body, leave) };
      } catch (error) {
        leave();
        throw error;
      }
    },
    close: () => transport.close(),
  };
}

const within = (left = Infinity, most: number): number => Math.max(1, Math.min(left, most));

/** The same body; calls `done` when it was read, or was given up. */
async function* afterwards(
  body: Response['body'],
  done: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* body;
  } finally {
    done();
  }
}
