/**
 * Applies transitions to builds and makes them real: writes them down, gives scheduled jobs to
 * free slots, ends processes, feeds outcomes back. What is decided is decided in `domain/`.
 */
import { agentsOf, type Agents } from './agents/agents.ts';
import { systemClock } from '../../common/clock.ts';
import { createChangeFeed, type ChangeFeed } from './change-feed.ts';
import { handsOf, type EngineHands } from './engine-hands.ts';
import { noPending } from './engine-pending.ts';
import { start, stop } from './engine-life.ts';
import type { EngineParts, EngineState } from './engine-state.ts';
import { createSlots, type Slot } from './slots.ts';

export interface Engine extends EngineHands {
  readonly slots: readonly Readonly<Slot>[];
  /** What the slots are for, as `key=value`. */
  readonly slotTags: readonly string[];
  /** The agents beside the slots. */
  readonly agents: Agents;
  /** What changes in builds, pipelines and organizations that are watched. */
  readonly feed: ChangeFeed;
  /** Why what has happened cannot be written down; null while it can. It is tried again and again. */
  storageError(): string | null;
  /** Marks what was running when the service was last killed, and begins to hand out jobs. */
  start(): Promise<void>;
  /**
   * Hands out no more jobs, ends all that runs and waits for it: TERM first or, with `kill`, KILL at
   * once, also when it is stopping already.
   */
  stop(kill: boolean): Promise<void>;
}

export function createEngine(parts: EngineParts): Engine {
  const feed = createChangeFeed(() => systemClock.now());
  const engine: EngineState = {
    parts,
    slots: createSlots(parts.slots, parts.clock.now(), parts.newId),
    ...{ sessions: new Map(), demands: new Set(), news: new Set(), offered: new Set() },
    sweeping: null,
    jobs: new Set(),
    phase: 'new',
    isFillScheduled: false,
    feed,
    pending: noPending(),
    triggering: new Set(),
    turns: new Map(),
    storageError: null,
  };
  return {
    ...handsOf(engine),
    slots: engine.slots,
    slotTags: parts.tags ?? ['queue=default'],
    agents: agentsOf(engine),
    feed,
    storageError: () => engine.storageError,
    start: () => start(engine),
    stop: (kill) => stop(engine, kill),
  };
}
