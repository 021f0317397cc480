import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';

/** Maximum number of values in a trend, so that it fits next to a name. */
const points = 20;

export function createRunCounter() {
  const [durations, waits, passes] = [createSamples(), createSamples(), createSamples()];
  const counts = { passed: 0, failed: 0 };
  return {
    /** Times are in seconds, or null if unknown. */
    add(outcome: Outcome, { ran, waited }: Record<'ran' | 'waited', number | null>): void {
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
      duration: { median: durations.quantile(0.5), p90: durations.quantile(0.9) },
      waited: { median: waits.quantile(0.5), p90: waits.quantile(0.9) },
      trend: durations.trend(points),
      pass_trend: passes.trend(points, 'mean'),
    }),
  };
}

export const shareOf = (part: number, whole: number): number | null =>
  whole > 0 ? Math.round((part / whole) * 10_000) / 10_000 : null;

export function createSamples() {
  let values = new Float64Array(16);
  let count = 0;
  return {
    add(value: number): void {
      if (count === values.length) values = grown(values);
      values[count++] = value;
    },
    /** The interpolated quantile for a fraction from 0 to 1, or null if there are no values. */
    quantile: (share: number) => quantileOf(values.slice(0, count).sort(), share),
    /** Medians or means of at most `points` groups, oldest first. Builds are added newest first. */
    trend: (points: number, of: 'median' | 'mean' = 'median') =>
      trendOf(values.slice(0, count).reverse(), points, of === 'median' ? medianOf : meanOf),
  };
}

function grown(values: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(values.length * 2);
  larger.set(values);
  return larger;
}

type Summary = (values: Float64Array) => number | null;

function trendOf(values: Float64Array, points: number, summary: Summary): number[] {
  const count = Math.min(points, values.length);
  const start = (index: number): number => Math.floor((index * values.length) / count);
  return Array.from({ length: count }, (_, index) =>
    summary(values.slice(start(index), start(index + 1))),
  ).filter((value) => value !== null);
}

const medianOf: Summary = (values) => quantileOf(values.sort(), 0.5);

const meanOf: Summary = (values) =>
  rounded(values.reduce((sum, value) => sum + value, 0) / values.length);

function quantileOf(sorted: Float64Array, share: number): number | null {
  const at = share * (sorted.length - 1);
  const [lower, upper] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  if (lower === undefined || upper === undefined) return null;
  return rounded(lower + (upper - lower) * (at - Math.floor(at)));
}

/** Rounds to milliseconds, because interpolation adds meaningless digits. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/** Undefined if the result does not depend on the code: canceled, skipped or not run. */
type Outcome = 'passed' | 'failed' | undefined;

/** For a blocked build, uses its state before it was blocked. */
export function buildOutcome({ state, blocked_state: until }: Build): Outcome {
  const word = state === 'blocked' ? until : state;
  return word === 'passed' || word === 'failed' ? word : undefined;
}

/** A soft failure counts as a failure of the step. */
export function jobOutcome({ state }: Job): Outcome {
  if (state === 'passed') return 'passed';
  return state === 'failed' || state === 'timed_out' ? 'failed' : undefined;
}

export const isFinished = ({ state, blocked }: Build): boolean =>
  blocked === true || finishedStates.has(state ?? '');

/** The states that the API returns for `state=finished`. */
const finishedStates: ReadonlySet<string> = new Set(['passed', 'failed', 'blocked', 'canceled']);
