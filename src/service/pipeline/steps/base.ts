/** What steps of every kind have, groups too: their place, key, dependencies and conditions. */
import type { Dependency, StepBase } from '../plan.ts';
import { flag, type Reading } from '../reading.ts';
import type { Mapping } from '../value.ts';
import type { PlanNode, StepContext } from './context.ts';
import { readDependencies } from './dependencies.ts';
import { readKey } from './key-and-label.ts';
import { readOmitted } from './omitted.ts';

/** Reads it and takes the next number of a definition. The label depends on the kind. */
export function readBase(
  reading: Reading,
  step: Mapping,
  kind: PlanNode['kind'],
  label: string | null,
  context: StepContext,
): StepBase {
  const { at } = step;
  const { nodes, group } = context;
  const { entries } = step;
  const own = readOmitted(reading, step, context.judge);
  const omitted = group?.omitted ?? own;
  const key = readKey(reading, step);
  const dependsOn = readDependencies(reading, step.entries.get('depends_on'));
  const definition = nodes.length;
  const name = key ?? label ?? `line ${at.line}`;
  // A gate that is left out holds nothing.
  const role = kind === 'gate' && omitted !== null ? 'step' : kind;
  const isExcluded = omitted !== null && context.judge.knowsBuild;
  const around = group?.group.definition ?? null;
  nodes.push({ kind: role, key, name, at, dependsOn, group: around, isExcluded });
  return {
    key,
    label,
    line: at.line,
    definition,
    dependsOn: dependsOn && dependsOn.map(plain),
    allowDependencyFailure: flag(reading, entries.get('allow_dependency_failure'), false),
    omitted,
    group: group?.group ?? null,
  };
}

const plain = ({ step, allowFailure }: Dependency): Dependency => ({ step, allowFailure });
