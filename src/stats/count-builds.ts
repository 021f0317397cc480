import type { Build } from '../api/resources/build.ts';
import { durationOf } from '../api/resources/duration.ts';
import { createRunCounter } from './count-runs.ts';
import { buildOutcome } from './outcome.ts';
import type { BuildFigures } from './stats-resource.ts';

export interface BuildCounter {
  readonly count: number;
  add(build: Build): void;
  figures(): BuildFigures;
}

/** Counts builds as wholes: `others` neither passed nor failed. */
export function countBuilds(): BuildCounter {
  const runs = createRunCounter();
  let [count, others] = [0, 0];
  let from: string | null = null;
  let to: string | null = null;
  return {
    get count() {
      return count;
    },
    add(build) {
      count += 1;
      const outcome = buildOutcome(build);
      if (outcome === undefined) others += 1;
      runs.add(outcome, { ran: ranOf(build), waited: waitedOf(build) });
      // Newest first.
      from = build.created_at ?? from;
      to ??= build.created_at ?? null;
    },
    figures: () => ({ ...runs.figures(), others, from, to }),
  };
}

/** What waits for a person has no end of its own: it ran until its last job was over. */
function ranOf({ started_at, finished_at, jobs }: Build): number | null {
  const last = (jobs ?? []).map((job) => job.finished_at ?? '').reduce(later, '');
  const end = finished_at ?? last;
  return end === '' ? null : durationOf({ started_at, finished_at: end }, 0);
}

/** From its creation until its first job began. */
const waitedOf = ({ created_at, started_at }: Build): number | null =>
  (started_at ?? null) === null
    ? null
    : durationOf({ started_at: created_at, finished_at: started_at }, 0);

const later = (one: string, other: string): string =>
  (Date.parse(other) || 0) > (Date.parse(one) || 0) ? other : one;
