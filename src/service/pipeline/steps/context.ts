/** What surrounds a step while it is read. */
import type { Group, Omitted, StepSecret } from '../plan.ts';
import type { SourcePosition } from '../value.ts';
import type { Judge } from '../judge.ts';

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
