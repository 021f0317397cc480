import { unlessAborted } from '../common/abort.ts';
import { CictlError, isServiceError } from '../errors.ts';
import type { Clock } from '../common/clock.ts';
import { isLoopback } from '../parse/checks.ts';
import type { Context } from '../context.ts';
import type { View } from './view.ts';
import { isBuiltInAddress } from '../config/setting-origins.ts';
import type { Build } from '../api/resources/build.ts';
import { isSettled } from './outcome.ts';
import { changes, type Event } from './changes.ts';

export interface PollOptions<T> {
  readonly clock: Clock;
  /** Aborting this signal stops the wait and any request, and its reason is thrown */
  readonly signal: AbortSignal;
  /** For the timeout message, such as `build 7 of hello` */
  readonly subject: string;
  /** Polling interval in milliseconds. By default, adaptive within `limits`. */
  readonly interval?: number | undefined;
  readonly limits?: IntervalLimits;
  /** Minimum delay in milliseconds between this response and the next request. */
  readonly minInterval?: (last: T) => number;
  /** Maximum milliseconds for which a service that has responded before may be unreachable */
  readonly maxOutage: number;
  /** Whether the service has responded before. If so, a first failure is an outage */
  readonly wasReached?: boolean | undefined;
  /** Whether the two responses differ. If so, the next request follows soon */
  readonly hasChanged: (before: T, now: T) => boolean;
  /** Called after each failed request that will be retried after `pause` milliseconds */
  readonly onError?: (error: CictlError, pause: number) => Promise<void>;
}

interface IntervalLimits {
  readonly min: number;
  readonly max: number;
}

/**
 * Yields the response of each request, for as long as the caller iterates. The pause is short after
 * changes and grows while nothing changes. Its minimum grows with the total wait. Network errors,
 * 429 and 5xx are retried for `maxOutage`. The first request is only retried if the service itself
 * reports a failure, so that a wrong URL is reported immediately. Throws `CictlError`: the signal's
 * reason, or the error of a request.
 */
export async function* poll<T>(
  fetch: () => Promise<T>,
  options: PollOptions<T>,
): AsyncGenerator<T, never> {
  const { clock, signal, subject, hasChanged, minInterval = () => 0, wasReached = false } = options;
  const limits = limitsOf(options);
  const start = clock.now();
  const named = naming(subject);
  const passes = wasReached ? isServiceError : isFailing;
  let before = await fetchThroughOutage(fetch, options, passes).catch(named);
  let pause = limits.min;
  yield before;
  for (;;) {
    await clock.sleep(Math.max(pause, minInterval(before)), signal).catch(named);
    const now = await fetchThroughOutage(fetch, options, isServiceError).catch(named);
    pause = hasChanged(before, now) ? quickest(limits, clock.now() - start) : slower(pause, limits);
    before = now;
    yield now;
  }
}

/** Retries with growing pauses while the service is unreachable or limits the request rate. */
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

const isFailing = (error: unknown): error is CictlError =>
  isServiceError(error) && (error.status ?? 0) >= 500;

const slower = (pause: number, limits: IntervalLimits): number => Math.min(pause * 1.5, limits.max);

/** After minutes of waiting, a build will not finish within a second, so polling slows down. */
const quickest = ({ min, max }: IntervalLimits, elapsed: number): number =>
  Math.max(min, Math.min(min + Math.round(elapsed / 30), max / 3));

/** Polls a remote service less often, because its rate limit is shared with other commands. */
const defaultLimits: IntervalLimits = { min: 1000, max: 15_000 };

const limitsOf = ({
  interval,
  limits = defaultLimits,
}: Pick<PollOptions<never>, 'interval' | 'limits'>): IntervalLimits =>
  interval === undefined ? limits : { min: interval, max: interval };

const naming =
  (subject: string) =>
  (error: unknown): never => {
    if (!(error instanceof CictlError) || error.kind !== 'timeout') throw error;
    throw new CictlError('timeout', `${error.message} waiting for ${subject}`);
  };

/** A local service is polled more often, because its builds take only seconds. */
export const pollInterval = (baseUrl: string): IntervalLimits =>
  isLoopback(new URL(baseUrl).hostname) ? { min: 250, max: 2000 } : defaultLimits;

export type OutageReporter = ReturnType<typeof createOutageReporter>;

const minute = 60_000;

/** Reports an unreachable service immediately, then every minute, and when it responds again. */
export function createOutageReporter(
  view: Pick<View, 'note'>,
  { clock, messages }: { clock: Clock; messages: Pick<Context['messages'], 'debug'> },
) {
  let reportedAt: number | undefined;
  return {
    onError: async (error: CictlError, pause: number): Promise<void> => {
      const line = `${error.message}; retrying in ${(pause / 1000).toFixed(1)} s`;
      const now = clock.now();
      const isDue = reportedAt === undefined || now - reportedAt >= minute || pause >= minute;
      if (!isDue) {
        messages.debug(line);
        return;
      }
      reportedAt = now;
      await view.note(line);
    },
    /** Wraps the request and reports when the service responds again. */
    watched:
      <T>(fetch: () => Promise<T>) =>
      async (): Promise<T> => {
        const seen = await fetch();
        if (reportedAt !== undefined) await view.note('the service is reachable again');
        reportedAt = undefined;
        return seen;
      },
  };
}

/** In milliseconds. Short for a local service, which rarely restarts. Call only while it runs. */
export const longestOutage = ({ settings, env }: Pick<Context, 'settings' | 'env'>): number =>
  isBuiltInAddress(settings, env) ? 5000 : 30 * 60_000;

export interface FollowOptions extends Omit<PollOptions<Build>, 'hasChanged'> {
  readonly before?: Build | undefined;
  /** Whether to stop at this state. By default, stops when the build is settled */
  readonly isDone?: ((build: Build) => boolean) | undefined;
  /** Awaited before the next request */
  readonly onEvent: (event: Event) => Promise<void>;
}

/** Polls a build and reports changes until the build settles. Returns its last state. */
export async function followBuild(
  fetch: () => Promise<Build>,
  options: FollowOptions,
): Promise<Build> {
  const { isDone = isSettled } = options;
  // `poll` only calls this from the second state on.
  let events: Event[] | undefined;
  const hasChanged = (before: Build, now: Build): boolean =>
    (events = changes(before, now)).length > 0;
  for await (const now of poll(fetch, { ...options, hasChanged })) {
    for (const event of events ?? changes(options.before, now)) await options.onEvent(event);
    if (isDone(now)) return now;
  }
  throw new Error('poll() returned before the build settled');
}
