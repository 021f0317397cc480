/**
 * What the service knows, as plain data. Times are milliseconds since the epoch, ids are UUIDs;
 * how a record looks on the wire is the business of `http/present`.
 */
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

/** A member has no edit permission on pipelines. */
export type Role = 'admin' | 'member';

/**
 * `user`: an access token. `job`: the token of one job, good for its own build and gone with the job.
 * `agent`: an agent registration token, good for the metrics of its organization. `session`: the token
 * that one agent got when it was registered, good for its own work.
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
  /** Of a session, and of a job that an agent beside the slots has. */
  readonly agentId?: string;
  /** Of a registration token: its agents were started by the service, and work on the folders themselves. */
  readonly isOnThisMachine?: boolean;
}

export type Workspace = 'inplace' | 'copy' | 'worktree';

export interface Pipeline {
  readonly id: string;
  readonly organizationId: string;
  readonly slug: string;
  readonly name: string;
  /** Absolute folder in which its jobs run. */
  readonly folder: string;
  /** Absolute pipeline file; null: looked for in the folder, at each build. */
  readonly file: string | null;
  /** URL of the checkout's remote, or the folder if there is no remote. */
  readonly repository: string;
  readonly description?: string | null;
  /** Others may trigger it and read its artifacts only where a rule allows it. */
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
  /** What a person has to decide about while it is blocked, else empty. */
  readonly blockedState: '' | 'passed' | 'failed' | 'running';
  readonly cancelReason: string | null;
  /** When somebody or something asked for its end; not there in builds that were never canceled. */
  readonly canceledAt?: number;
  readonly canceledById?: string | null;
  readonly message: string;
  readonly commit: string;
  readonly branch: string;
  /** What the creator gave; jobs see it over the pipeline's own. */
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
  /** Further variables of the host that its jobs inherit. */
  readonly hostEnv: Readonly<Record<string, string>>;
  /** How its jobs run here: what `cictl run` was asked for. */
  readonly options: RunOptions;
  /** The job that made it, in another build. */
  readonly triggeredFrom: TriggeredFrom | null;
  /** The steps were given with the build: a rebuild takes them again and reads no file. */
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

/** What runs jobs: a slot of this machine, or an agent that is a program of its own somewhere. */
export interface Agent {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  /** A program of its own; the rest of it is a record by itself (`remote-agent.ts`). */
  readonly remote?: true;
}

export interface Job {
  readonly id: string;
  readonly type: JobType;
  /** Index of its step in the plan. */
  readonly step: number;
  /** Id of the step, shared by its retries. */
  readonly stepId: string;
  readonly state: JobState;
  /** The higher, the earlier it gets a slot. */
  readonly priority: number;
  readonly exitStatus: number | null;
  readonly signal: string | null;
  readonly signalReason: string | null;
  readonly softFailed: boolean;
  /** What it said while it ran: it is going to fail, whatever is reported of it. */
  readonly promised?: PromisedFailure;
  readonly agent: Agent | null;
  /** Bytes at the start of the log that are not from its agent. */
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
  /** The build that a trigger job has made. */
  readonly triggered: {
    readonly buildId: string;
    readonly number: number;
    readonly pipelineSlug: string;
  } | null;
}

export interface PromisedFailure {
  /** 1 to 255. */
  readonly exitStatus: number;
  readonly reason: string | null;
  /** Its step forgives this status. */
  readonly isForgiven: boolean;
}

/** A build with all its jobs, in the order of the steps, retried ones included. */
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
  /** Of one job; else it belongs to the build. */
  readonly jobId?: string;
  readonly context: string;
  readonly style: AnnotationStyle;
  readonly priority: number;
  /** The source, Markdown or HTML. */
  readonly body: string;
  /** The source rendered, safe to show. */
  readonly html: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const artifactStates = ['new', 'finished', 'error', 'deleted'] as const;
export type ArtifactState = (typeof artifactStates)[number];

/** A file that a job has left; its bytes are kept beside the database. */
export interface Artifact {
  readonly id: string;
  readonly buildId: string;
  readonly jobId: string;
  readonly state: ArtifactState;
  /** With slashes, from the folder of the job. */
  readonly path: string;
  readonly absolutePath: string;
  readonly globPath: string;
  /** Bytes. */
  readonly fileSize: number;
  readonly sha1: string;
  readonly sha256: string;
  readonly contentType: string;
  /** Part of its address: who knows it may read, and write until it is finished. */
  readonly secret: string;
  /** Where its agent has put it, which keeps nothing here. */
  readonly elsewhere?: ArtifactElsewhere;
  readonly createdAt: number;
}

export interface ArtifactElsewhere {
  /** `s3://bucket/folder`, for agents that fetch it from there themselves. */
  readonly destination: string;
  /** Its address on the web; empty where it has none. */
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

/** An organization's own emoji. */
export interface Emoji {
  readonly organizationId: string;
  readonly name: string;
  readonly url: string;
  readonly aliases: readonly string[];
}
