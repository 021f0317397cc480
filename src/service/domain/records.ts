/** The records of the service. Times are in milliseconds since the epoch; IDs are UUIDs. */
import type { Plan } from '../pipeline/plan.ts';
import type { RunOptions } from '../run-options.ts';

export interface Organization {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly createdAt: number;
}

export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly createdAt: number;
}

/** Members cannot edit pipelines. */
export type Role = 'admin' | 'member';

/**
 * `user`: an access token. `job`: a job's token for its own build, valid until the job finishes.
 * `agent`: an agent registration token, which can also read metrics. `session`: the token of one
 * registered agent.
 */
export interface Token {
  readonly id: string;
  readonly kind: 'user' | 'job' | 'agent' | 'session';
  readonly userId: string | null;
  readonly organizationIds: readonly string[];
  readonly scopes: readonly string[];
  readonly description: string;
  readonly createdAt: number;
  readonly buildId: string | null;
  readonly jobId: string | null;
  /** Only set for session tokens, and for the tokens of jobs on remote agents. */
  readonly agentId?: string;
  /** Set for the registration token with which the service itself starts agents on this machine. */
  readonly isOnThisMachine?: boolean;
}

export type Workspace = 'inplace' | 'copy' | 'worktree';

export interface Pipeline {
  readonly id: string;
  readonly organizationId: string;
  readonly slug: string;
  readonly name: string;
  readonly folder: string;
  /** Absolute path of the pipeline file. If null, each build searches the directory for a file. */
  readonly file: string | null;
  /** URL of the checkout's remote, or the directory if there is no remote. */
  readonly repository: string;
  readonly description?: string | null;
  /** Whether other pipelines need a rule to trigger this pipeline or to read its artifacts. */
  readonly restricted: boolean;
  readonly defaultBranch: string;
  readonly branchConfiguration: string | null;
  readonly skipQueuedBranchBuilds: boolean;
  readonly skipQueuedBranchBuildsFilter: string | null;
  readonly cancelRunningBranchBuilds: boolean;
  readonly cancelRunningBranchBuildsFilter: string | null;
  readonly webhookUrl: string;
  readonly settings: Readonly<Record<string, string | boolean>>;
  readonly createdAt: number;
}

export type BuildState =
  | 'scheduled'
  | 'running'
  | 'failing'
  | 'passed'
  | 'failed'
  | 'canceling'
  | 'canceled'
  | 'skipped'
  | 'not_run';

export interface Author {
  readonly name: string;
  readonly email: string;
}

export interface PullRequest {
  readonly id: string;
  readonly base: string | null;
  readonly repository: string | null;
}

export interface Build {
  readonly id: string;
  readonly organizationId: string;
  readonly pipelineId: string;
  readonly number: number;
  readonly state: BuildState;
  readonly blocked: boolean;
  /** The state that the block step specifies; empty if the build is not blocked. */
  readonly blockedState: '' | 'passed' | 'failed' | 'running';
  readonly cancelReason: string | null;
  readonly canceledAt?: number;
  readonly canceledById?: string | null;
  readonly message: string;
  readonly commit: string;
  readonly branch: string;
  /** These variables take precedence over the environment of the pipeline file. */
  readonly env: Readonly<Record<string, string>>;
  readonly source: 'api' | 'trigger_job' | 'ui' | 'webhook' | 'schedule';
  readonly creatorId: string | null;
  readonly author: Author | null;
  readonly metaData: Readonly<Record<string, string>>;
  readonly pullRequest: PullRequest | null;
  readonly rebuiltFrom: { readonly id: string; readonly number: number } | null;
  readonly cleanCheckout: boolean;
  readonly ignoreBranchFilters: boolean;
  readonly workspace: Workspace;
  /** Environment variables of the host that the jobs inherit. */
  readonly hostEnv: Readonly<Record<string, string>>;
  readonly options: RunOptions;
  readonly triggeredFrom: TriggeredFrom | null;
  /** Whether the steps were given when the build was created. A rebuild then reuses them. */
  readonly ownPlan: boolean;
  readonly createdAt: number;
  readonly scheduledAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
}

export interface TriggeredFrom {
  readonly jobId: string;
  readonly buildId: string;
  readonly number: number;
  readonly pipelineSlug: string;
}

export type JobType = 'script' | 'waiter' | 'manual' | 'trigger';

export type JobState =
  | 'waiting'
  | 'waiting_failed'
  | 'blocked'
  | 'blocked_failed'
  | 'unblocked'
  | 'limited'
  | 'scheduled'
  | 'accepted'
  | 'running'
  | 'passed'
  | 'failed'
  | 'timing_out'
  | 'timed_out'
  | 'expired'
  | 'canceling'
  | 'canceled'
  | 'skipped'
  | 'broken';

/** A slot on this machine or a remote agent. Both run jobs. */
export interface Agent {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  /** Set for a remote agent, whose details are in its `RemoteAgent` record. */
  readonly remote?: true;
}

export interface Job {
  readonly id: string;
  readonly type: JobType;
  /** Index of the job's step in the plan. */
  readonly step: number;
  readonly stepId: string;
  readonly state: JobState;
  /** Jobs with a higher priority run first. */
  readonly priority: number;
  readonly exitStatus: number | null;
  readonly signal: string | null;
  readonly signalReason: string | null;
  readonly softFailed: boolean;
  readonly promised?: PromisedFailure;
  readonly agent: Agent | null;
  /** Number of bytes at the start of the log that come from the service, not from the agent. */
  readonly logStart?: number;
  readonly createdAt: number;
  readonly scheduledAt: number | null;
  readonly runnableAt: number | null;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly retriedInJobId: string | null;
  readonly retriesCount: number;
  readonly retryType: 'manual' | 'automatic' | null;
  readonly retrySource: { readonly jobId: string; readonly type: 'manual' | 'automatic' } | null;
  readonly unblockedById: string | null;
  readonly unblockedAt: number | null;
  readonly triggered: Omit<TriggeredFrom, 'jobId'> | null;
}

/** Reported by a running job that will fail, regardless of the exit status of its process. */
export interface PromisedFailure {
  /** 1 to 255. */
  readonly exitStatus: number;
  readonly reason: string | null;
  /** Whether `soft_fail` covers the exit status. */
  readonly isForgiven: boolean;
}

/** A build with all its jobs in step order, including retried ones. */
export interface Tree {
  readonly build: Build;
  readonly plan: Plan;
  readonly jobs: readonly Job[];
}

export const annotationStyles = ['success', 'info', 'warning', 'error'] as const;
export type AnnotationStyle = (typeof annotationStyles)[number];

export interface Annotation {
  readonly id: string;
  readonly buildId: string;
  /** Undefined if the annotation belongs to the build itself. */
  readonly jobId?: string;
  readonly context: string;
  readonly style: AnnotationStyle;
  readonly priority: number;
  readonly body: string;
  /** The body as sanitized HTML. */
  readonly html: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const artifactStates = ['new', 'finished', 'error', 'deleted'] as const;
export type ArtifactState = (typeof artifactStates)[number];

export interface Artifact {
  readonly id: string;
  readonly buildId: string;
  readonly jobId: string;
  readonly state: ArtifactState;
  /** Path relative to the job's working directory, with forward slashes. */
  readonly path: string;
  readonly absolutePath: string;
  readonly globPath: string;
  /** In bytes. */
  readonly fileSize: number;
  readonly sha1: string;
  readonly sha256: string;
  readonly contentType: string;
  /** Secret part of the file's URL. Grants read access and, until the upload ends, write access. */
  readonly secret: string;
  /** Set if the agent uploaded the file to other storage. */
  readonly elsewhere?: ArtifactElsewhere;
  readonly createdAt: number;
}

export interface ArtifactElsewhere {
  /** Where agents download the file from: `s3://bucket/folder`. */
  readonly destination: string;
  /** Empty if there is no HTTP(S) URL. */
  readonly url: string;
}

export const ruleTypes = [
  'pipeline.trigger_build.pipeline',
  'pipeline.artifacts_read.pipeline',
] as const;
export type RuleType = (typeof ruleTypes)[number];

export interface Rule {
  readonly id: string;
  readonly organizationId: string;
  readonly type: RuleType;
  readonly sourceId: string;
  readonly targetId: string;
  readonly createdAt: number;
  readonly createdById: string | null;
  readonly description?: string;
}

export interface Emoji {
  readonly organizationId: string;
  readonly name: string;
  readonly url: string;
  readonly aliases: readonly string[];
}
