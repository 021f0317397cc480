import type { Outcome } from './outcome.ts';
import { createSamples } from './samples.ts';
import { shareOf, spreadOf } from './spread.ts';
import type { Spread } from './stats-resource.ts';

/** What builds and steps have in common. */
export interface Figures {
  readonly runs: number;
  readonly passed: number;
  readonly failed: number;
  readonly pass_rate: number | null;
  readonly duration: Spread;
  readonly waited: Spread;
  readonly trend: readonly number[];
  readonly pass_trend: readonly number[];
}

/** Counts the runs of one thing, a step or a whole pipeline, those that came to an end. */
export interface RunCounter {
  /** Seconds, null where they are not known. */
  add(
    outcome: Outcome,
    times: { readonly ran: number | null; readonly waited: number | null },
  ): void;
  figures(): Figures;
}

/** As many as can be read beside a name. */
const points = 20;

export function createRunCounter(): RunCounter {
  const [durations, waits, passes] = [createSamples(), createSamples(), createSamples()];
  const counts = { passed: 0, failed: 0 };
  return {
    add(outcome, { ran, waited }) {
      if (outcome === undefined) return;
      counts[outcome] += 1;
      passes.add(outcome === 'passed' ? 1 : 0);
      if (ran !== null) durations.add(ran);
      if (waited !== null) waits.add(waited);
    },
    figures: () => ({
      runs: counts.passed + counts.failed,
      ...counts,
      pass_rate: shareOf(counts.passed, counts.passed + counts.failed),
      duration: spreadOf(durations),
      waited: spreadOf(waits),
      trend: durations.trend(points),
      pass_trend: passes.trend(points, 'mean'),
    }),
  };
}
