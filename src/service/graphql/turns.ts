/** Long queries run in turns, between which others are answered. */
import { nextTurn } from '../../common/clock.ts';

/** Fields resolved in one turn, a millisecond or two. */
export const mostFields = 500;

export interface Turns {
  /** Work has been done: a plain field counts 1, what is read from the store more. */
  count(fields: number): void;
  /** Whether this turn has done enough: what comes next asks for a place in a later one. */
  isOver(): boolean;
  /** Resolves in a later turn, one after another as they were asked for. */
  next(): Promise<void>;
}

/** `endTurn` lets others have theirs. */
export function createTurns(endTurn: () => Promise<unknown> = nextTurn): Turns {
  const waiting: (() => void)[] = [];
  let fields = 0;
  async function run(): Promise<void> {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      if (fields >= mostFields) {
        await endTurn();
        fields = 0;
      }
      next();
      // What was waited for goes on in these, and counts.
      for (let step = 0; step < 4; step++) await Promise.resolve();
      waiting.shift();
    }
  }
  return {
    count: (more) => void (fields += more),
    // Who comes while others wait has its place behind them.
    isOver: () => fields >= mostFields || waiting.length > 0,
    next: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 1) void run();
      }),
  };
}
