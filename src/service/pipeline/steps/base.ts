/** Reads the attributes of all steps and groups: keys, labels, dependencies and conditions. */
import type { Group, Omitted, StepBase, StepSecret } from '../plan.ts';
import { flag, type Reading, aliased, optionalText } from '../reading.ts';
import type { Mapping, Entry } from '../value.ts';
import { readDependencies, type PlanNode } from '../dependencies.ts';
import { readOmitted, type ConditionalBuild } from './omitted.ts';

export interface StepContext {
  /** Attributes of the pipeline that its steps inherit. */
  readonly inherited: {
    readonly agentQueryRules: readonly string[];
    readonly priority: number;
    readonly secrets: readonly StepSecret[];
    readonly skipCheckout: boolean;
  };
  readonly build: ConditionalBuild;
  /** All steps and groups read so far. The index is the position in definition order. */
  readonly nodes: PlanNode[];
  /** `left` is the number of jobs that can still be added; `jobs` is the overall limit. */
  readonly room: { left: number; readonly jobs: number };
  readonly group: { readonly group: Group; readonly omitted: Omitted | null } | null;
}

/** Reads the common attributes and assigns the next index. */
export function readBase(
  reading: Reading,
  step: Mapping,
  kind: PlanNode['kind'],
  label: string | null,
  { build, group, nodes }: StepContext,
): StepBase {
  const { at, entries } = step;
  const own = readOmitted(reading, step, build);
  const omitted = group?.omitted ?? own;
  const key = readKey(reading, step);
  const dependsOn = readDependencies(reading, entries.get('depends_on'));
  const definition = nodes.length;
  nodes.push({
    // An omitted wait or block does not hold back later steps.
    kind: kind === 'gate' && omitted !== null ? 'step' : kind,
    ...{ key, name: key ?? label ?? `line ${at.line}`, at, dependsOn },
    group: group?.group.definition ?? null,
    isExcluded: omitted !== null && build.facts !== undefined,
  });
  return {
    ...{ key, label, line: at.line, definition },
    dependsOn: dependsOn && dependsOn.map(({ step, allowFailure }) => ({ step, allowFailure })),
    allowDependencyFailure: flag(reading, entries.get('allow_dependency_failure'), false),
    omitted,
    group: group?.group ?? null,
  };
}

const keyForm = /^[A-Za-z0-9_:-]{1,100}$/;
/** A UUID is not allowed as a key, because a job can be referred to by its key or by its ID. */
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function readKey(reading: Reading, step: Mapping): string | null {
  const entry = aliased(reading, step, ['key', 'id', 'identifier']);
  const key = optionalText(reading, entry);
  if (entry === undefined || key === null) return null;
  if (!keyForm.test(key) || uuidForm.test(key)) {
    const rule = key.includes('{{matrix')
      ? 'the jobs of a matrix share the key of their step'
      : 'use only letters, digits, `_`, `-` and `:`, and not a UUID';
    reading.problem(entry.value.at, `\`${key}\` is not a valid step key (${rule})`);
  }
  return key;
}

/** Returns `label` or `name`, or the value of the key that sets the kind (`block: Release`). */
export function readLabel(reading: Reading, step: Mapping, kind?: Entry): string | null {
  const entry = aliased(reading, step, ['label', 'name']);
  return optionalText(reading, entry) ?? optionalText(reading, kind);
}
