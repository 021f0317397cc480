import { unlessAborted } from '../common/abort.ts';
import { CictlError, isServiceError } from '../errors.ts';
import type { Clock } from '../common/clock.ts';
import { isLoopback } from '../parse/checks.ts';
import type { Context } from '../context.ts';
import type { View } from './view.ts';
import { isBuiltInAddress } from '../config/setting-origins.ts';

export interface PollOptions<T> {
  readonly clock: Clock;
  /** Ends the wait with its reason, even while a request is in progress. */
  readonly signal: AbortSignal;
  /** What the message of a timeout names: `build 7 of hello`. */
  readonly subject: string;
  /** Milliseconds between two requests; without it, the interval adapts within `limits`. */
  readonly interval?: number | undefined;
  readonly limits?: IntervalLimits;
  /** The shortest interval that the last response allows, in milliseconds. */
  readonly minInterval?: (last: T) => number;
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
interface IntervalLimits {
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
 * @throws CictlError the signal's reason, or the error of a request.
 */
export async function* poll<T>(
  fetch: () => Promise<T>,
  options: PollOptions<T>,
): AsyncGenerator<T, never> {
  const { clock, signal, subject, hasChanged, minInterval = () => 0, wasReached = false } = options;
  const limits = limitsOf(options);
  const start = clock.now();
  const named = naming(subject);
  let before = await fetchThroughOutage(fetch, options, wasReached ? isOutage : isFailing).catch(
    named,
  );
  let pause = limits.min;
  yield before;
  for (;;) {
    await clock.sleep(Math.max(pause, minInterval(before)), signal).catch(named);
    const now = await fetchThroughOutage(fetch, options, isOutage).catch(named);
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
      return await unlessAborted(signal, fetch());
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

/** The message of a timeout says what was waited for. */
const naming =
  (subject: string) =>
  (error: unknown): never => {
    if (!(error instanceof CictlError) || error.kind !== 'timeout') throw error;
    throw new CictlError('timeout', `${error.message} of waiting for ${subject}`);
  };

/**
 * How often a service is polled: a remote one every 1 to 15 seconds, which leaves most of its rate
 * limit to other work; one on this machine more often, since its builds take seconds.
 */
export const pollInterval = (baseUrl: string): IntervalLimits =>
  isLoopback(new URL(baseUrl).hostname) ? { min: 250, max: 2000 } : { min: 1000, max: 15_000 };

export interface OutageReporter {
  readonly onError: (error: CictlError, pause: number) => Promise<void>;
  /** The same function; reports when the service responds again. */
  readonly watched: <T>(fetch: () => Promise<T>) => () => Promise<T>;
}

const minute = 60_000;

/** Reports that the service is unreachable: at once, then every minute, and when it is back. */
export function createOutageReporter(
  view: Pick<View, 'note'>,
  {
    clock,
    messages,
  }: { readonly clock: Clock; readonly messages: Pick<Context['messages'], 'debug'> },
): OutageReporter {
  let reportedAt: number | undefined;
  return {
    onError: async (error, pause) => {
      const line = `${error.message}; looking again in ${(pause / 1000).toFixed(1)} s`;
      const now = clock.now();
      const isDue = reportedAt === undefined || now - reportedAt >= minute || pause >= minute;
      if (!isDue) {
        messages.debug(line);
        return;
      }
      reportedAt = now;
      await view.note(line);
    },
    watched: (fetch) => async () => {
      const seen = await fetch();
      if (reportedAt !== undefined) await view.note('the service answers again');
      reportedAt = undefined;
      return seen;
    },
  };
}

/**
 * Milliseconds for which a service that is watched may stay out of reach: half an hour; seconds for
 * the built-in one, which is gone with its process and seldom comes back. Ask while it is there.
 */
export const longestOutage = ({ settings, env }: Pick<Context, 'settings' | 'env'>): number =>
  isBuiltInAddress(settings, env) ? 5000 : 30 * 60_000;
