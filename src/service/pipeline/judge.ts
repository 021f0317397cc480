/** Whether a step of the file runs in this build. */
import type { Omitted } from './plan.ts';
import type { SourcePosition } from './value.ts';

/** A list of globs and of those to leave out, as `if_changed` has them. */
export interface ChangedFiles {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** Each gives why the step is left out, and null where it runs. */
export interface Judge {
  /** `if`: an expression of the conditional language. What is wrong with it is reported. */
  condition(source: string, at: SourcePosition): Omitted | null;
  /** `branches`: patterns parted by blanks. */
  branches(patterns: string, at: SourcePosition): Omitted | null;
  /** `if_changed`. */
  ifChanged(files: ChangedFiles, at: SourcePosition): Omitted | null;
}
