import type { Clock } from '../../../common/clock.ts';
import type { Settings } from '../../../config/settings.ts';
import type { Env } from '../../../common/env.ts';
import type { Line } from '../line.ts';
import type { Question, Value } from './ask-service.ts';

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
