/** Questions of completion: answered from the cache, else by one request. */
import type { CachedValue, CachedValues, ValueCache } from '../../cache/value-cache.ts';
import type { Clock } from '../../common/clock.ts';
import type { Query } from '../../http/url.ts';
import type { Settings } from '../../config/settings.ts';
import type { Env } from '../../common/env.ts';
import type { Line } from './line.ts';

/** Something to offer, with its state where it has one. */
export type Value = CachedValue;

export interface Question {
  readonly api: 'rest' | 'agent';
  readonly path: readonly (string | number)[];
  readonly query?: Query;
  /** Milliseconds for which what came is as good as new. */
  readonly freshFor: number;
  /** The values in the JSON of the response, of which nothing is certain. */
  readonly pick: (response: unknown) => readonly Value[];
}

interface Asking {
  readonly cache: ValueCache | undefined;
  readonly clock: Clock;
  /** The JSON of the response. Throws where there is none in time. */
  readonly request: (question: Question) => Promise<unknown>;
}

/** After a failure nothing is asked for so long: each Tab would wait for a second. Milliseconds. */
const pause = 10_000;

/**
 * The values, those of the cache where they are fresh and one of them is meant. What is old serves
 * where the service does not.
 */
export async function askService(
  question: Question,
  typed: string,
  { cache, clock, request }: Asking,
): Promise<readonly Value[]> {
  const name = JSON.stringify([question.api, question.path, question.query ?? {}]);
  const cached = await cache?.read(name);
  if (cached !== undefined && isEnough(cached, typed, question, clock.now())) return cached.values;
  try {
    const values = question.pick(await request(question));
    await keep({ values, at: clock.now() }, name, cache);
    return values;
  } catch {
    const { values = [], at = 0 } = cached ?? {};
    await keep({ values, at, failedAt: clock.now() }, name, cache);
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

/** A cache that cannot be written only costs the next request. */
async function keep(values: CachedValues, name: string, cache?: ValueCache): Promise<void> {
  await cache?.write(name, values).catch(() => undefined);
}

/** What this process gives to completion. */
export interface World {
  readonly env: Env;
  readonly cwd: string;
  readonly clock: Clock;
  /** `process.versions.node`. */
  readonly nodeVersion: string;
  /** Version of cictl, for the header `User-Agent`. */
  readonly version: string;
}

/** What a source of values may use. */
export interface Parts {
  readonly line: Line;
  readonly settings: Settings;
  readonly world: World;
  /** From the cache, else from the service; `typed` is what the values are to begin with. */
  readonly ask: (question: Question, typed: string) => Promise<readonly Value[]>;
}

/** The values of one kind that may begin with `typed`; others among them do no harm. */
export type Source = (typed: string, parts: Parts) => Promise<readonly Value[]>;
