import { aborted } from '../abort.ts';
import { CictlError, isServiceError } from '../errors.ts';
import type { Clock } from '../clock.ts';

export interface PollOptions<T> {
  readonly clock: Clock;
  /** Ends the wait with its reason. */
  readonly signal: AbortSignal;
  /** What is waited for, as the message of a timeout says it: `build 7 of hello`. */
  readonly subject: string;
  /** Milliseconds between two requests; without it, the interval adapts within `limits`. */
  readonly interval?: number | undefined;
  readonly limits?: IntervalLimits;
  /** The shortest interval that the last response allows, in milliseconds. */
  readonly minInterval?: (last: T) => number;
  /** Milliseconds for the whole wait, a request under way included; left out, without end. */
  readonly timeout?: number | undefined;
  /** When the whole wait began, by the clock; left out, now. */
  readonly since?: number | undefined;
  /** Milliseconds for which the service may stay unreachable once it has responded. */
  readonly maxOutage: number;
  /** Whether the service has responded already, so that a first failure is an outage too. */
  readonly wasReached?: boolean | undefined;
  /** Whether a request brought something new; the next ones follow quickly then. */
  readonly hasChanged: (before: T, now: T) => boolean;
  /** Called for each request that failed and will be repeated after `pause` milliseconds. */
  readonly onError?: (error: CictlError, pause: number) => Promise<void>;
}

/** Shortest and longest time between two requests, in milliseconds. */
export interface IntervalLimits {
  readonly min: number;
  readonly max: number;
}

/**
 * Yields the result of each request, for as long as the caller iterates.
 *
 * The pause is short while things happen and grows while nothing does, and the longer the wait, the
 * longer is the shortest pause. Network errors, 429 and 5xx are retried for `maxOutage`, but on the
 * first request only a service that itself reports a failure is waited for: an address that is
 * simply wrong is reported at once.
 *
 * @throws CictlError `timeout` (code 124) when the whole wait is over, else whatever a request threw.
 */
export async function* poll<T>(
  fetch: () => Promise<T>,
  options: PollOptions<T>,
): AsyncGenerator<T, never> {
  const { clock, hasChanged: hasChanged, minInterval = () => 0, wasReached = false } = options;
  const withDeadline = createDeadline(options);
  const limits = limitsOf(options);
  const start = clock.now();
  let before = await withDeadline((signal) =>
    fetchThroughOutage(fetch, { ...options, signal }, wasReached ? isOutage : isFailing),
  );
  let pause = limits.min;
  yield before;
  for (;;) {
    const wait = Math.max(pause, minInterval(before));
    await withDeadline((signal) => clock.sleep(wait, signal));
    const now = await withDeadline((signal) =>
      fetchThroughOutage(fetch, { ...options, signal }, isOutage),
    );
    pause = hasChanged(before, now) ? quickest(limits, clock.now() - start) : slower(pause, limits);
    before = now;
    yield now;
  }
}

/** Retries with growing pauses while the service is unreachable, or when it asks for it. */
async function fetchThroughOutage<T>(
  fetch: () => Promise<T>,
  options: PollOptions<T>,
  passes: (error: unknown) => error is CictlError,
): Promise<T> {
  const { clock, signal, maxOutage, onError } = options;
  const limits = limitsOf(options);
  const since = clock.now();
  for (let pause = limits.min; ; pause = slower(pause, limits)) {
    try {
      return await fetch();
    } catch (error) {
      const left = since + maxOutage - clock.now();
      if (!passes(error) || left <= 0) throw error;
      const wait = Math.min(Math.max(pause, error.retryAfter ?? 0), left);
      await onError?.(error, wait);
      await clock.sleep(wait, signal);
    }
  }
}

const isOutage = isServiceError;

const isFailing = (error: unknown): error is CictlError =>
  isOutage(error) && (error.status ?? 0) >= 500;

const slower = (pause: number, limits: IntervalLimits): number => Math.min(pause * 1.5, limits.max);

/**
 * The pause after a change. What has taken minutes is not over in a second, and a rate limit of 50
 * requests a minute has to last for other work too.
 */
const quickest = ({ min, max }: IntervalLimits, elapsed: number): number =>
  Math.max(min, Math.min(min + Math.round(elapsed / 30), max / 3));

/** For a remote service: 1 to 15 seconds. */
const defaultLimits: IntervalLimits = { min: 1000, max: 15_000 };

const limitsOf = ({
  interval,
  limits = defaultLimits,
}: Pick<PollOptions<never>, 'interval' | 'limits'>): IntervalLimits =>
  interval === undefined ? limits : { min: interval, max: interval };

/** The signal of a piece of work ends what it waits for once the whole wait is over. */
type WithDeadline = <R>(work: (signal: AbortSignal) => Promise<R>) => Promise<R>;

/** Bounds each piece of work by the end of the whole wait, and by the signal. */
function createDeadline<T>(options: PollOptions<T>): WithDeadline {
  const { clock, signal, timeout, subject, since = clock.now() } = options;
  return async (work) => {
    const done = new AbortController();
    const combined = AbortSignal.any([signal, done.signal]);
    const expire = async (): Promise<never> => {
      if (timeout === undefined) return aborted(combined);
      await clock.sleep(Math.max(0, since + timeout - clock.now()), combined);
      throw timedOut(subject, timeout);
    };
    try {
      return await Promise.race([expire(), work(combined)]);
    } finally {
      done.abort();
    }
  };
}

const timedOut = (subject: string, timeout: number): CictlError =>
  new CictlError('timeout', `gave up waiting for ${subject} after ${timeout / 1000} s`);
