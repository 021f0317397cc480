import type { Step } from '../plan.ts';
import { isNull, type Reading } from '../reading.ts';
import type { SourcePosition, Value } from '../value.ts';
import type { StepContext } from './context.ts';
import { readStep } from './step.ts';

export interface StepList {
  /** Where it is missing. */
  readonly at: SourcePosition;
  readonly of: 'the pipeline' | 'the group';
  readonly mayBeEmpty?: boolean;
  readonly context: StepContext;
}

/** Entries of a pipeline; more are not read. */
const maxSteps = 10_000;

/** The jobs of a list of steps, in the order of the file. */
export function readSteps(
  reading: Reading,
  list: Value | undefined,
  { at, of, mayBeEmpty = false, context }: StepList,
): readonly Step[] {
  if (list !== undefined && list.kind !== 'list' && !isNull(list)) {
    reading.problem(list.at, '`steps` must be a list');
    return [];
  }
  const values = list?.kind === 'list' ? list.items : [];
  if (values.length === 0 && !mayBeEmpty) reading.problem(at, `${of} has no steps`);
  const steps: Step[] = [];
  for (const value of values) {
    if (context.nodes.length >= maxSteps) {
      reading.problem(value.at, `the pipeline has more than ${maxSteps} steps`);
      break;
    }
    for (const step of readStep(reading, value, context)) steps.push(step);
  }
  return steps;
}
