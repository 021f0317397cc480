import { aborted } from '../abort.ts';
import { CictlError, isServiceFault } from '../errors.ts';
import type { Clock } from '../clock.ts';

export interface PollOptions<T> {
  readonly clock: Clock;
  /** Ends the wait with its reason. */
  readonly signal: AbortSignal;
  /** What is waited for, as the message of a timeout says it: `build 7 of hello`. */
  readonly subject: string;
  /** Milliseconds between two looks; left out, it adapts within `pace`. */
  readonly interval?: number | undefined;
  readonly pace?: Pace;
  /** Milliseconds that the last answer itself wants between two looks. */
  readonly least?: (last: T) => number;
  /** Milliseconds for the whole wait, a request under way included; left out, without end. */
  readonly timeout?: number | undefined;
  /** When the whole wait began, by the clock; left out, now. */
  readonly since?: number | undefined;
  /** Milliseconds for which the service may stay out of reach once it has answered. */
  readonly maxOutage: number;
  /** Whether it has answered already, so that a first look that fails is an outage too. */
  readonly wasReached?: boolean | undefined;
  /** Whether a look brought something new; looks follow quickly then. */
  readonly isNews: (before: T, now: T) => boolean;
  /** Told of each look that failed and is going to be repeated after `pause` milliseconds. */
  readonly onFault?: (error: CictlError, pause: number) => Promise<void>;
}

/** Shortest and longest time between two looks, in milliseconds. */
export interface Pace {
  readonly min: number;
  readonly max: number;
}

/**
 * Yields what each look finds, for as long as the caller goes on asking.
 *
 * The pause is short while things happen and grows while nothing does, and the longer the wait,
 * the longer is the shortest pause. Network faults, 429 and 5xx are survived for `maxOutage`, but
 * at the first look only a service that says itself that it has failed is waited for: an address
 * that is simply wrong is told at once.
 *
 * @throws CictlError `timeout` (code 124) when the whole wait is over, else whatever a look threw.
 */
export async function* poll<T>(
  look: () => Promise<T>,
  options: PollOptions<T>,
): AsyncGenerator<T, never> {
  const { clock, isNews, least = () => 0, wasReached = false } = options;
  const within = deadline(options);
  const pace = paceOf(options);
  const start = clock.now();
  let before = await within((signal) =>
    patiently(look, { ...options, signal }, wasReached ? isOutage : isFailing),
  );
  let pause = pace.min;
  yield before;
  for (;;) {
    const wait = Math.max(pause, least(before));
    await within((signal) => clock.sleep(wait, signal));
    const now = await within((signal) => patiently(look, { ...options, signal }, isOutage));
    pause = isNews(before, now) ? quickest(pace, clock.now() - start) : slower(pause, pace);
    before = now;
    yield now;
  }
}

/** Looks again while the service is out of reach, less and less often, or when it asks for it. */
async function patiently<T>(
  look: () => Promise<T>,
  options: PollOptions<T>,
  passes: (error: unknown) => error is CictlError,
): Promise<T> {
  const { clock, signal, maxOutage, onFault } = options;
  const pace = paceOf(options);
  const since = clock.now();
  for (let pause = pace.min; ; pause = slower(pause, pace)) {
    try {
      return await look();
    } catch (error) {
      const left = since + maxOutage - clock.now();
      if (!passes(error) || left <= 0) throw error;
      const wait = Math.min(Math.max(pause, error.retryAfter ?? 0), left);
      await onFault?.(error, wait);
      await clock.sleep(wait, signal);
    }
  }
}

const isOutage = isServiceFault;

const isFailing = (error: unknown): error is CictlError =>
  isOutage(error) && (error.status ?? 0) >= 500;

const slower = (pause: number, pace: Pace): number => Math.min(pause * 1.5, pace.max);

/**
 * The pause after news. What has taken minutes is not over in a second, and a rate limit of 50
 * requests a minute has to last for other work too.
 */
const quickest = ({ min, max }: Pace, elapsed: number): number =>
  Math.max(min, Math.min(min + Math.round(elapsed / 30), max / 3));

/** A service that is asked from outside is asked gently: 1 to 15 seconds. */
const gentle: Pace = { min: 1000, max: 15_000 };

const paceOf = ({
  interval,
  pace = gentle,
}: Pick<PollOptions<never>, 'interval' | 'pace'>): Pace =>
  interval === undefined ? pace : { min: interval, max: interval };

/** The signal of a piece of work ends what it waits for once the whole wait is over. */
type Within = <R>(work: (signal: AbortSignal) => Promise<R>) => Promise<R>;

/** Bounds each piece of work by the end of the whole wait, and by the signal. */
function deadline<T>(options: PollOptions<T>): Within {
  const { clock, signal, timeout, subject, since = clock.now() } = options;
  return async (work) => {
    const done = new AbortController();
    const over = AbortSignal.any([signal, done.signal]);
    const late = async (): Promise<never> => {
      if (timeout === undefined) return aborted(over);
      await clock.sleep(Math.max(0, since + timeout - clock.now()), over);
      throw timedOut(subject, timeout);
    };
    try {
      return await Promise.race([late(), work(over)]);
    } finally {
      done.abort();
    }
  };
}

const timedOut = (subject: string, timeout: number): CictlError =>
  new CictlError('timeout', `gave up waiting for ${subject} after ${timeout / 1000} s`);
