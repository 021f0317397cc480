/** Waits for the jobs of a fleet. */
import { setTimeout as sleep } from 'node:timers/promises';
import { merge } from './fleet.js';

/**
 * Collects the reports of a fleet until this many jobs are finished.
 *
 * @param {{ report: () => Promise<object> }} fleet
 * @param {number} jobs
 * @param {number} limit seconds without a finished job after which it throws
 */
export async function untilFinished(fleet, jobs, limit = 30) {
  let all = merge([]);
  let last = performance.now();
  for (;;) {
    await sleep(100);
    const part = await fleet.report();
    if (part.finished.length > 0) last = performance.now();
    all = merge([all, part]);
    if (all.finished.length >= jobs) return all;
    if (performance.now() - last > limit * 1000)
      throw new Error(
        `${all.finished.length} of ${jobs} jobs finished, ${all.started.length} started; ${JSON.stringify(all.other)}`,
      );
  }
}

/** Throws unless each of this many jobs was started once and finished once. */
export function assertOnce({ started, finished }, jobs) {
  const taken = finished.filter(([, status]) => status === 200);
  const isOnce =
    started.length === jobs &&
    new Set(started).size === jobs &&
    new Set(taken.map(([id]) => id)).size === jobs;
  if (!isOnce)
    throw new Error(
      `${jobs} jobs: ${started.length} starts (${new Set(started).size} distinct), ${taken.length} finished`,
    );
}

/**
 * @param {number[]} values
 * @param {number} share of the values that are at most the result
 */
export const percentile = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1];
