/**
 * The plan of a pipeline file: its steps in order, expanded and checked, as plain data. It is
 * created by `load.ts`, executed by the scheduler, and stored with the build as JSON.
 */

export interface StepBase {
  readonly key: string | null;
  readonly label: string | null;
  readonly line: number;
  /** Number of the step in the file. All jobs of a parallel or matrix step share it. */
  readonly definition: number;
  /** Null if there is no `depends_on`: the step then waits for earlier `wait` and `block` steps. */
  readonly dependsOn: readonly Dependency[] | null;
  /** Whether the step runs even if its dependencies fail. */
  readonly allowDependencyFailure: boolean;
  /** Why the step does not run; null if it runs. */
  readonly omitted: Omitted | null;
  readonly group: Group | null;
}

export interface Dependency {
  /** Key of a step or a group. The key of a group stands for all of its steps. */
  readonly step: string;
  readonly allowFailure: boolean;
}

/**
 * Why a step does not run: it is `skipped` because of `skip`, or `broken` because its `if`,
 * `branches` or `if_changed` does not match. Steps that depend on it run anyway.
 */
export interface Omitted {
  readonly state: 'skipped' | 'broken';
  readonly reason: string;
}

/** The group that contains a step. The step's `omitted` already covers the group's conditions. */
export interface Group {
  readonly definition: number;
  readonly key: string | null;
  readonly label: string | null;
  /** Dependencies that every step of the group has in addition to its own. */
  readonly dependsOn: readonly Dependency[] | null;
}

/** True if every failure is soft; a list if only failures with these exit statuses are soft. */
export type SoftFail = boolean | readonly number[];

export interface RetryRules {
  /** If several rules match, the first one applies. */
  readonly automatic: readonly AutomaticRetry[];
  readonly manual: {
    readonly allowed: boolean;
    readonly permitOnPassed: boolean;
    readonly reason: string | null;
  };
}

export interface AutomaticRetry {
  readonly exitStatus: '*' | readonly number[];
  /** `*`, or signal names in lower case without SIG, such as `kill`. Null matches any outcome. */
  readonly signal: string | readonly string[] | null;
  /** `*`, `none`, or reasons (see `Outcome`). Null matches any outcome. */
  readonly signalReason: string | readonly string[] | null;
  /** Maximum number of retries by this rule. */
  readonly limit: number;
}

export interface Concurrency {
  readonly group: string;
  readonly limit: number;
  /** `eager` admits the first job that is ready; `ordered` admits jobs in order of creation. */
  readonly method: 'ordered' | 'eager';
}

export interface PluginUse {
  /** The plugin as written in the file: `docker#v5.12.0`, a URL or `./.buildkite/plugins/x`. */
  readonly source: string;
  readonly config: Json;
}

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export interface StepSecret {
  readonly key: string;
  /** Environment variable to set to the secret's value. */
  readonly variable: string;
}

export interface CommandStep extends StepBase {
  readonly type: 'command';
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  readonly softFail: SoftFail;
  readonly timeoutInMinutes: number | null;
  /** Rules such as `queue=q`, which stands for `agents: {queue: q}`. */
  readonly agentQueryRules: readonly string[];
  /** Globs, joined by `;`. */
  readonly artifactPaths: string | null;
  readonly plugins: readonly PluginUse[];
  readonly retry: RetryRules;
  /** `index` is 0-based. */
  readonly parallel: { readonly index: number; readonly total: number } | null;
  /** The job's matrix values by dimension. The dimension of a plain list is `''`. */
  readonly matrix: Readonly<Record<string, string>> | null;
  readonly concurrency: Concurrency | null;
  /** Higher priorities run first. */
  readonly priority: number;
  readonly cancelOnBuildFailing: boolean;
  readonly secrets: readonly StepSecret[];
  readonly skipCheckout: boolean;
}

export interface WaitStep extends StepBase {
  readonly type: 'wait';
  readonly continueOnFailure: boolean;
}

/** A `block` step holds back all later steps; an `input` step only holds back dependent steps. */
export interface BlockStep extends StepBase {
  readonly type: 'block' | 'input';
  readonly prompt: string | null;
  readonly fields: readonly BlockField[];
  /** State of the build while it is blocked. */
  readonly blockedState: 'passed' | 'failed' | 'running';
}

export interface BlockField {
  readonly key: string;
  readonly kind: 'text' | 'select';
  readonly label: string | null;
  readonly hint: string | null;
  /** Regular expression that must match the entire value of a text field. */
  readonly format: string | null;
  readonly required: boolean;
  readonly multiple: boolean;
  readonly default: string | readonly string[] | null;
  readonly options: readonly { readonly label: string; readonly value: string }[];
}

export interface TriggerStep extends StepBase {
  readonly type: 'trigger';
  readonly pipeline: string;
  /** Whether the step passes as soon as the triggered build has been created. */
  readonly async: boolean;
  readonly softFail: SoftFail;
  readonly build: {
    readonly commit: string | null;
    readonly branch: string | null;
    readonly message: string | null;
    readonly env: Readonly<Record<string, string>>;
    readonly metaData: Readonly<Record<string, string>>;
  };
}

export type Step = CommandStep | WaitStep | BlockStep | TriggerStep;

/** Default values of the attributes that all types of steps have. */
export const plainStep = {
  key: null,
  label: null,
  dependsOn: null,
  allowDependencyFailure: false,
  omitted: null,
  group: null,
} as const;

/** Default values for a command step, in the order in which `run --plan` prints the attributes. */
export const plainCommand = {
  ...plainStep,
  type: 'command',
  env: {},
  agentQueryRules: [],
  artifactPaths: null,
  plugins: [],
  parallel: null,
  matrix: null,
  softFail: false,
  retry: { automatic: [], manual: { allowed: true, permitOnPassed: false, reason: null } },
  timeoutInMinutes: null,
  concurrency: null,
  priority: 0,
  cancelOnBuildFailing: false,
  secrets: [],
  skipCheckout: false,
} as const satisfies Defaults<CommandStep>;

const plainBlock = {
  ...plainStep,
  prompt: null,
  fields: [],
  blockedState: 'passed',
} as const;

/**
 * Default values of all attributes that a file may omit, by type of step. They complete a stored
 * plan from an older version: `{ ...stepDefaults[step.type], ...step }`.
 */
export const stepDefaults = {
  command: plainCommand,
  wait: { ...plainStep, type: 'wait', continueOnFailure: false },
  block: { ...plainBlock, type: 'block' },
  input: { ...plainBlock, type: 'input' },
  trigger: {
    ...plainStep,
    type: 'trigger',
    async: false,
    softFail: false,
    build: { commit: null, branch: null, message: null, env: {}, metaData: {} },
  },
} as const satisfies {
  readonly command: Defaults<CommandStep>;
  readonly wait: Defaults<WaitStep>;
  readonly block: Defaults<BlockStep>;
  readonly input: Defaults<BlockStep>;
  readonly trigger: Defaults<TriggerStep>;
};

/** The attributes that a file may omit. */
type Defaults<S extends Step> = Omit<S, 'line' | 'definition' | 'command' | 'pipeline'>;

export interface Plan {
  readonly env: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  /** Messages about keys that have no effect here (`agents`, `notify`, …). */
  readonly notices: readonly string[];
}

/**
 * Why a job was stopped, in the API's terms. `agent_lost` means that its agent stopped responding.
 */
export type SignalReason = (typeof signalReasons)[number];

export const signalReasons = [
  ...(['cancel', 'agent_stop', 'agent_refused', 'agent_lost'] as const),
  ...(['agent_incompatible', 'process_run_error', 'signature_rejected', 'stack_error'] as const),
];

/** Reads a stored plan. Attributes added in later versions get their defaults. */
export function readStoredPlan(json: string): Plan {
  const plan = JSON.parse(json) as Plan;
  return { ...plan, steps: plan.steps.map((step) => ({ ...stepDefaults[step.type], ...step })) };
}
