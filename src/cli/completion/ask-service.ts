import type { CachedValue, CachedValues, ValueCache } from '../../cache/value-cache.ts';
import type { Clock } from '../../common/clock.ts';
import type { Query } from '../../http/url.ts';
import type { Settings } from '../../config/settings.ts';
import type { Env } from '../../common/env.ts';
import type { Line } from './line.ts';

export type Value = CachedValue;

export interface Question {
  readonly api: 'rest' | 'agent';
  readonly path: readonly (string | number)[];
  readonly query?: Query;
  /** Time in milliseconds for which cached values are fresh */
  readonly freshFor: number;
  readonly pick: (response: unknown) => readonly Value[];
}

interface Asking {
  readonly cache: ValueCache | undefined;
  readonly clock: Clock;
  /** Returns the parsed JSON response. Throws if there is no response in time. */
  readonly request: (question: Question) => Promise<unknown>;
}

/** Milliseconds to wait after a failed request. Otherwise, each Tab would take another second. */
const pause = 10_000;

/**
 * Returns the cached values if they are fresh and one of them matches. If the service does not
 * respond, returns stale values.
 */
export async function askService(
  question: Question,
  typed: string,
  { cache, clock, request }: Asking,
): Promise<readonly Value[]> {
  const name = JSON.stringify([question.api, question.path, question.query ?? {}]);
  // If caching fails, the only cost is another request.
  const keep = async (values: CachedValues): Promise<void> =>
    cache?.write(name, values).catch(() => undefined);
  const cached = await cache?.read(name);
  if (cached !== undefined && isEnough(cached, typed, question, clock.now())) return cached.values;
  try {
    const values = question.pick(await request(question));
    await keep({ values, at: clock.now() });
    return values;
  } catch {
    const { values = [], at = 0 } = cached ?? {};
    await keep({ values, at, failedAt: clock.now() });
    return values;
  }
}

function isEnough(
  { values, at, failedAt }: CachedValues,
  typed: string,
  { freshFor }: Question,
  now: number,
): boolean {
  if (failedAt !== undefined && now - failedAt < pause) return true;
  return now - at < freshFor && values.some(({ text }) => text.startsWith(typed));
}

export interface World {
  readonly env: Env;
  readonly cwd: string;
  readonly clock: Clock;
  /** The value of `process.versions.node`. */
  readonly nodeVersion: string;
  /** For the `User-Agent` header. */
  readonly version: string;
}

export interface Parts {
  readonly line: Line;
  readonly settings: Settings;
  readonly world: World;
  /** Gets values from the cache or the service. `typed` is what the user has typed so far. */
  readonly ask: (question: Question, typed: string) => Promise<readonly Value[]>;
}

/** Returns values of one kind; the caller drops values that do not start with `typed`. */
export type Source = (typed: string, parts: Parts) => Promise<readonly Value[]>;
