/** Exit statuses as the rules of a step name them. */
import type { SoftFail } from '../pipeline/plan.ts';
import type { Outcome } from '../runner-port.ts';

/** `softFail` forgives an end like this one. */
export const isForgiven = (softFail: SoftFail, outcome: Pick<Outcome, 'exitStatus'>): boolean =>
  typeof softFail === 'boolean' ? softFail : hasStatus(softFail, outcome.exitStatus);

/** A death by signal is -1; files may call it 255 as well, as agents of older versions do. */
export const hasStatus = (statuses: readonly number[], status: number): boolean =>
  statuses.includes(status) || (status === -1 && statuses.includes(255));
