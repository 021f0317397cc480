/**
 * What a pipeline file comes to: the steps in order, expanded and checked, as plain data.
 * Written by `load.ts`, read by the scheduler; it is kept with the build as JSON.
 */

export interface StepBase {
  readonly key: string | null;
  readonly label: string | null;
  /** 1-based position in the file, for messages. */
  readonly line: number;
  /** Number of its definition: the jobs of one `parallelism` or `matrix` share it, and are one step. */
  readonly definition: number;
  /** What has to come first; null: the order of the file, with its waits and blocks. */
  readonly dependsOn: readonly Dependency[] | null;
  /** It is enough that what has to come first has ended, however it did. */
  readonly allowDependencyFailure: boolean;
  /** Why it does not run; null where it does. */
  readonly omitted: Omitted | null;
  readonly group: Group | null;
}

export interface Dependency {
  /** Key of a step, or of a group: then all its steps. */
  readonly step: string;
  readonly allowFailure: boolean;
}

/**
 * `skipped` by `skip`, `broken` by an `if`, `branches` or `if_changed` that does not hold. What
 * depends on it goes on.
 */
export interface Omitted {
  readonly state: 'skipped' | 'broken';
  readonly reason: string;
}

/** The group around a step. Its conditions are already in `omitted` of its steps. */
export interface Group {
  /** Number of its definition, among those of steps. */
  readonly definition: number;
  readonly key: string | null;
  readonly label: string | null;
  /** Comes before each of its steps, beside their own. */
  readonly dependsOn: readonly Dependency[] | null;
}

/** Whether a hard failure is forgiven: `true`, or only these exit statuses. */
export type SoftFail = boolean | readonly number[];

export interface RetryRules {
  /** The first that fits counts; none: no automatic retry. */
  readonly automatic: readonly AutomaticRetry[];
  readonly manual: {
    readonly allowed: boolean;
    readonly permitOnPassed: boolean;
    readonly reason: string | null;
  };
}

export interface AutomaticRetry {
  readonly exitStatus: '*' | readonly number[];
  /** `*`, or a name without SIG in lower case as in `kill`, or several; null: none is asked for. */
  readonly signal: string | readonly string[] | null;
  /** `*`, `none`, or a reason as in `Outcome`, or several; null: none is asked for. */
  readonly signalReason: string | readonly string[] | null;
  /** How often a step is retried by this rule. */
  readonly limit: number;
}

export interface Concurrency {
  readonly group: string;
  readonly limit: number;
  /** `eager`: whoever is ready first; `ordered`: as they were created, across builds. */
  readonly method: 'ordered' | 'eager';
}

/** One entry of `plugins`. */
export interface PluginUse {
  /** As the file names it: `docker#v5.12.0`, an address, `./.buildkite/plugins/x`. */
  readonly source: string;
  /** Its configuration, as JSON. */
  readonly config: Json;
}

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A secret by the name under which it is kept, and the variable that gets it. */
export interface StepSecret {
  readonly key: string;
  readonly variable: string;
}

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
  /** Globs, joined by `;`. */
  readonly artifactPaths: string | null;
  readonly plugins: readonly PluginUse[];
  readonly retry: RetryRules;
  /** Which of the jobs of `parallelism` it is, from 0. */
  readonly parallel: { readonly index: number; readonly total: number } | null;
  /** Its values of the matrix; the dimension of a plain list is called `''`. */
  readonly matrix: Readonly<Record<string, string>> | null;
  readonly concurrency: Concurrency | null;
  /** The higher, the earlier. */
  readonly priority: number;
  readonly cancelOnBuildFailing: boolean;
  readonly secrets: readonly StepSecret[];
  /** It runs without a checkout (`checkout: {skip: true}`). */
  readonly skipCheckout: boolean;
}

/** All before must have passed. */
export interface WaitStep extends StepBase {
  readonly type: 'wait';
  readonly continueOnFailure: boolean;
}

/** Holds what follows until somebody unblocks it; an `input` holds only what depends on it. */
export interface BlockStep extends StepBase {
  readonly type: 'block' | 'input';
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

/** Makes a build of another pipeline. */
export interface TriggerStep extends StepBase {
  readonly type: 'trigger';
  /** Slug, of the same organization. */
  readonly pipeline: string;
  /** It has passed as soon as the build is made. */
  readonly async: boolean;
  readonly softFail: SoftFail;
  /** What the file says of the new build; the rest is that of this one. */
  readonly build: {
    readonly commit: string | null;
    readonly branch: string | null;
    readonly message: string | null;
    readonly env: Readonly<Record<string, string>>;
    readonly metaData: Readonly<Record<string, string>>;
  };
}

export type Step = CommandStep | WaitStep | BlockStep | TriggerStep;

/** Attributes of any step that the pipeline file does not set. */
export const plainStep = {
  key: null,
  label: null,
  dependsOn: null,
  allowDependencyFailure: false,
  omitted: null,
  group: null,
} as const;

/** Attributes of a command step that the pipeline file does not set. */
export const plainCommand = {
  ...plainStep,
  type: 'command',
  env: {},
  softFail: false,
  timeoutInMinutes: null,
  agentQueryRules: [],
  artifactPaths: null,
  plugins: [],
  retry: { automatic: [], manual: { allowed: true, permitOnPassed: false, reason: null } },
  parallel: null,
  matrix: null,
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
 * The defaults of each type of step. Every attribute that a file may leave out is here, so a stored
 * plan from an older version becomes complete with `{ ...stepDefaults[step.type], ...step }`.
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

/** All attributes except those that every step has from its file. */
type Defaults<S extends Step> = Omit<S, 'line' | 'definition' | 'command' | 'pipeline'>;

/** The defaults of `Step.group` (a group is not a step of its own in a plan). */
export const groupDefaults = {
  key: null,
  label: null,
  dependsOn: null,
} as const satisfies Omit<Group, 'definition'>;

export interface Plan {
  /** Environment of the pipeline, already interpolated. */
  readonly env: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  /** Sentences about what is understood but not obeyed here (`agents`, `notify`, …). */
  readonly notices: readonly string[];
}

/** Who or what ended a job, as agents name it; `agent_lost`: the agent was not heard of any more. */
export type SignalReason = (typeof signalReasons)[number];

export const signalReasons = [
  ...(['cancel', 'agent_stop', 'agent_refused', 'agent_lost'] as const),
  ...(['agent_incompatible', 'process_run_error', 'signature_rejected', 'stack_error'] as const),
];

/** Reads a stored plan. Attributes that its version did not know yet have their defaults. */
export function readStoredPlan(json: string): Plan {
  const plan = JSON.parse(json) as Plan;
  return { ...plan, steps: plan.steps.map((step) => ({ ...stepDefaults[step.type], ...step })) };
}
