/**
 * What a pipeline file comes to: the steps in order, expanded and checked, as plain data.
 * Written by `load.ts`, read by the scheduler; it is kept with the build as JSON.
 */

interface StepBase {
  readonly key: string | null;
  readonly label: string | null;
  /** 1-based position in the file, for messages. */
  readonly line: number;
}

/** Whether a hard failure is forgiven: `true`, or only these exit statuses. */
export type SoftFail = boolean | readonly number[];

export interface CommandStep extends StepBase {
  readonly type: 'command';
  /** Lines of `command` or `commands` joined by newlines. */
  readonly command: string;
  /** Step environment, already interpolated. */
  readonly env: Readonly<Record<string, string>>;
  readonly softFail: SoftFail;
  readonly timeoutInMinutes: number | null;
  /** `agents: {queue: q}` as rules `queue=q`; shown, not obeyed. */
  readonly agentQueryRules: readonly string[];
  readonly artifactPaths: string | null;
}

/** All before must have passed. */
export interface WaitStep extends StepBase {
  readonly type: 'wait';
  readonly continueOnFailure: boolean;
}

/** Holds what follows until somebody unblocks it. */
export interface BlockStep extends StepBase {
  readonly type: 'block';
  readonly prompt: string | null;
  /** The fields that unblocking may fill, as the file has them. */
  readonly fields: readonly BlockField[];
  /** State of the build while it is blocked. */
  readonly blockedState: 'passed' | 'failed' | 'running';
}

export interface BlockField {
  readonly key: string;
  readonly kind: 'text' | 'select';
  readonly label: string | null;
  readonly hint: string | null;
  /** Regular expression that the whole value of a text field must match. */
  readonly format: string | null;
  readonly required: boolean;
  readonly multiple: boolean;
  readonly default: string | readonly string[] | null;
  readonly options: readonly { readonly label: string; readonly value: string }[];
}

export type Step = CommandStep | WaitStep | BlockStep;

export interface Plan {
  /** Environment of the pipeline, already interpolated. */
  readonly env: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  /** Sentences about what is understood but not obeyed here (`agents`, `notify`, …). */
  readonly notices: readonly string[];
}
