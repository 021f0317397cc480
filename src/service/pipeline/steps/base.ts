/** What steps of every kind have, groups too: their place, key, dependencies and conditions. */
import type { Dependency, StepBase, Group, Omitted, StepSecret } from '../plan.ts';
import { flag, type Reading, aliased, optionalText } from '../reading.ts';
import type { Mapping, Entry, SourcePosition } from '../value.ts';
import { readDependencies } from '../dependencies.ts';
import { readOmitted, type Judge } from './omitted.ts';

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

// What steps of every kind have: a key and a label.

/** Step keys: no UUID, since jobs are named by either. */
const keyForm = /^[A-Za-z0-9_:-]{1,100}$/;
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `key`, `id` or `identifier`. */
function readKey(reading: Reading, step: Mapping): string | null {
  const entry = aliased(reading, step, ['key', 'id', 'identifier']);
  const key = optionalText(reading, entry);
  if (entry === undefined || key === null) return null;
  if (!keyForm.test(key) || uuidForm.test(key)) {
    const rule = key.includes('{{matrix')
      ? 'the jobs of a matrix are one step, and share its key'
      : 'letters, digits, `_`, `-` and `:`, and no UUID';
    reading.problem(entry.value.at, `\`${key}\` is no key of a step (${rule})`);
  }
  return key;
}

/** `label` or `name`, else the value under the key that names the kind (`block: Release`). */
export function readLabel(reading: Reading, step: Mapping, kind?: Entry): string | null {
  const entry = aliased(reading, step, ['label', 'name']);
  return optionalText(reading, entry) ?? optionalText(reading, kind);
}

// What surrounds a step while it is read.

export interface StepContext {
  /** What steps take over from their pipeline where they say nothing. */
  readonly inherited: {
    readonly agentQueryRules: readonly string[];
    readonly priority: number;
    readonly secrets: readonly StepSecret[];
    readonly skipCheckout: boolean;
  };
  readonly judge: Judge;
  /** Every step and group so far: the index is the number of its definition. */
  readonly nodes: PlanNode[];
  /** The jobs that there may be still, and how many there may be in all. */
  readonly room: { left: number; readonly jobs: number };
  readonly group: { readonly group: Group; readonly omitted: Omitted | null } | null;
}

/** A step or a group, as far as keys and dependencies go. */
export interface PlanNode {
  readonly kind: 'step' | 'gate' | 'group';
  readonly key: string | null;
  /** How messages call it. */
  readonly name: string;
  readonly at: SourcePosition;
  readonly dependsOn: readonly PlacedDependency[] | null;
  /** Number of the definition of the group around it. */
  readonly group: number | null;
  /** It does not run in this build. */
  readonly isExcluded: boolean;
}

export interface PlacedDependency {
  readonly step: string;
  readonly allowFailure: boolean;
  readonly at: SourcePosition;
}
