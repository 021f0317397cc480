/** Groups: their steps, each with the group around it. */
import type { Group, Step } from '../plan.ts';
import { aliased, type Reading } from '../reading.ts';
import type { Mapping } from '../value.ts';
import { readBase } from './base.ts';
import type { StepContext } from './context.ts';
import { readLabel } from './key-and-label.ts';
import { readSteps } from './steps.ts';

/** A group in a group is refused, and its steps are read all the same for what is wrong in them. */
export function readGroup(reading: Reading, step: Mapping, context: StepContext): readonly Step[] {
  if (context.group !== null) reading.problem(step.at, 'a group cannot stand in a group');
  const label = readLabel(reading, step, aliased(reading, step, ['group']));
  const base = readBase(reading, step, 'group', label, context);
  const group: Group = {
    definition: base.definition,
    key: base.key,
    label,
    dependsOn:
      base.dependsOn &&
      base.dependsOn.map((one) => ({
        ...one,
        allowFailure: one.allowFailure || base.allowDependencyFailure,
      })),
  };
  const steps = step.entries.get('steps');
  return readSteps(reading, steps?.value, {
    at: steps?.at ?? step.at,
    of: 'the group',
    context: { ...context, group: { group, omitted: base.omitted } },
  });
}
