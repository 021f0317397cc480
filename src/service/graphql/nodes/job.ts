import type { Job, JobType, Tree, JobState, Artifact } from '../../domain/records.ts';
import { nameOf } from '../../http/present/job.ts';
import { graphqlId, isoOrNull, iso } from '../../http/present/scalars.ts';
import {
  visibleOrganization,
  visiblePipeline,
  type GraphqlContext,
  visibleTree,
} from '../context.ts';
import { userNode } from './user.ts';
import type { RetryRules } from '../../pipeline/plan.ts';
import { shownEnvironment } from '../../http/routes/jobs.ts';
import {
  type PageArguments,
  nothing,
  type Connection,
  instant,
  storedConnection,
  connection,
} from '../connection.ts';
import { agentNode } from './agents.ts';
import { findJob } from '../../domain/find-job.ts';
import type { JobFilters, JobKey, JobOrder } from '../../store/job-lists.ts';
import { scanJobs } from '../scan-jobs.ts';

const typeNames: Readonly<Record<JobType, string>> = {
  script: 'JobTypeCommand',
  waiter: 'JobTypeWait',
  manual: 'JobTypeBlock',
  trigger: 'JobTypeTrigger',
};

/** Kinds of jobs share this object; what a kind does not have is never asked for. */
export function jobNode(context: GraphqlContext, tree: Tree, job: Job): object {
  const step = tree.plan.steps[job.step];
  return {
    __typename: typeNames[job.type],
    id: graphqlId('Job', job.id),
    uuid: job.id,
    state: jobStateOf(job.state),
    label: nameOf(step),
    url: () => urlOf(context, tree, job),
    build: () => context.nodes.build(context, tree.build.id),
    step: { uuid: job.stepId, key: step?.key ?? null },
    retried: job.retriedInJobId !== null,
    retriesCount: job.retriesCount,
    retryType: job.retryType?.toUpperCase() ?? null,
    retrySource: () => sourceOf(context, tree, job),
    isUnblockable: job.state === 'blocked',
    unblockedAt: isoOrNull(job.unblockedAt),
    unblockedBy: () => userNode(context, job.unblockedById),
    async: step?.type === 'trigger' && step.async,
    triggered: () => job.triggered && context.nodes.build(context, job.triggered.buildId),
    ...commandMembers(context, tree, job),
  };
}

function urlOf(context: GraphqlContext, { build }: Tree, job: Job): string {
  const organization = visibleOrganization(context, build.organizationId);
  const pipeline = visiblePipeline(context, build.pipelineId);
  const { urls } = context.service;
  return urls.webJob(organization?.slug ?? '', pipeline?.slug ?? '', build.number, job.id);
}

/** The job in whose location this one has come. */
function sourceOf(context: GraphqlContext, tree: Tree, { retrySource }: Job): object | null {
  const source = tree.jobs.find(({ id }) => id === retrySource?.jobId);
  return source === undefined ? null : jobNode(context, tree, source);
}

// What a job has that runs a command.

function commandMembers(context: GraphqlContext, tree: Tree, job: Job): object {
  const step = tree.plan.steps[job.step];
  const command = step?.type === 'command' ? step : undefined;
  return {
    command: command?.command ?? null,
    pipeline: () => pipelineOf(context, tree),
    agent: () => job.agent && agentNode(context, tree.build.organizationId, job.agent),
    agentQueryRules: command?.agentQueryRules ?? [],
    artifacts: (args: PageArguments) => artifactsOf(context, job.id, args),
    automaticArtifactUploadPaths: command?.artifactPaths ?? null,
    env: () => environment(context, tree, job),
    exitStatus: job.exitStatus === null ? null : String(job.exitStatus),
    concurrency: command?.concurrency ?? null,
    matrix: command?.matrix ?? null,
    parallelGroupIndex: command?.parallel?.index ?? null,
    parallelGroupTotal: command?.parallel?.total ?? null,
    passed: job.state === 'passed',
    priority: { number: job.priority },
    retryRules: command ? retryRulesOf(command.retry) : null,
    signal: job.signal,
    signalReason: reasonOf(job),
    softFailed: job.softFailed,
    createdAt: iso(job.createdAt),
    scheduledAt: isoOrNull(job.scheduledAt),
    runnableAt: isoOrNull(job.runnableAt),
    startedAt: isoOrNull(job.startedAt),
    finishedAt: isoOrNull(job.finishedAt),
    expiredAt: job.state === 'expired' ? isoOrNull(job.finishedAt) : null,
    canceledAt: job.state === 'canceled' ? isoOrNull(job.finishedAt) : null,
  };
}

function pipelineOf(context: GraphqlContext, { build }: Tree): object | null {
  const pipeline = visiblePipeline(context, build.pipelineId);
  return pipeline === undefined ? null : context.nodes.pipeline(context, pipeline);
}

const environment = async ({ service }: GraphqlContext, tree: Tree, job: Job): Promise<string[]> =>
  Object.entries(await shownEnvironment(service, tree, job)).map(
    ([name, value]) => `${name}=${value}`,
  );

const reasons = [
  'agent_incompatible',
  'agent_refused',
  'agent_stop',
  'cancel',
  'process_run_error',
  'signature_rejected',
  'stack_error',
];

/** Null for a reason that GraphQL has no name for. */
const reasonOf = ({ signalReason }: Job): string | null =>
  signalReason !== null && reasons.includes(signalReason) ? signalReason.toUpperCase() : null;

/** Several names as GraphQL shows several exit statuses. */
const joined = (names: string | readonly string[] | null): string | null =>
  names === null ? null : [names].flat().join(',');

const retryRulesOf = ({ automatic, manual }: RetryRules): object => ({
  manual: manual.allowed,
  automatic: automatic.map((rule) => ({
    exitStatus: rule.exitStatus === '*' ? '*' : rule.exitStatus.join(','),
    limit: String(rule.limit),
    signal: joined(rule.signal),
    signalReason: joined(rule.signalReason),
  })),
});

// Lists of jobs.

export interface JobArguments extends PageArguments {
  readonly type?: readonly string[] | null;
  readonly state?: readonly string[] | null;
  readonly passed?: boolean | null;
  readonly step?: { readonly key?: readonly string[] | null } | null;
  readonly agentQueryRules?: readonly string[] | null;
  readonly concurrency?: { readonly group?: readonly string[] | null } | null;
  readonly priority?: { readonly number?: readonly number[] | null } | null;
  readonly order?: 'RECENTLY_ASSIGNED' | 'RECENTLY_CREATED' | null;
  readonly cluster?: string | null;
  readonly clusterQueue?: readonly string[] | null;
  readonly createdAtFrom?: string | null;
  readonly createdAtTo?: string | null;
  readonly finishedAt?: string | null;
  readonly includeRetried?: boolean | null;
}

/** Jobs of one build as its steps stand, others the newest first. */
export function jobsOf(
  context: GraphqlContext,
  scope: JobFilters,
  args: JobArguments,
): Promise<Connection> | Connection {
  if (asksForAbsent(args)) return nothing();
  const { builds, jobs } = context.service.store;
  const filters = { ...filtersOf(args), ...scope };
  const order = orderOf(scope, args);
  const scan =
    scope.buildId === undefined
      ? scanJobs(jobs, filters, context.turns, order === 'started' ? 'started' : 'created')
      : undefined;
  return storedConnection(
    {
      window: (window) => {
        context.turns.count(windowWeight);
        return scan?.window(window) ?? jobs.window(filters, order, window);
      },
      count: () => scan?.count() ?? jobs.count(filters),
      idOf: ({ id }) => id,
      isKnown: (id) => builds.job(id) !== undefined,
      node: (key) => find(context, key),
    },
    args,
  );
}

/** Fields that the search for one piece costs as much as. */
const windowWeight = 100;

function orderOf({ buildId }: JobFilters, { order }: JobArguments): JobOrder {
  if (order === 'RECENTLY_ASSIGNED') return 'started';
  return buildId === undefined ? 'created' : 'steps';
}

function find(context: GraphqlContext, { id, buildId }: JobKey): object | null {
  const tree = visibleTree(context, buildId);
  const job = tree && findJob(tree, id);
  return tree && job ? jobNode(context, tree, job) : null;
}

/** No job belongs to a cluster. */
const asksForAbsent = ({ cluster, clusterQueue }: JobArguments): boolean =>
  Boolean(cluster) || (clusterQueue ?? []).length > 0;

const types: Readonly<Record<string, JobType>> = {
  COMMAND: 'script',
  WAIT: 'waiter',
  BLOCK: 'manual',
  TRIGGER: 'trigger',
};

const day = 86_400_000;

function filtersOf(args: JobArguments): JobFilters {
  const createdFrom = instant(args.createdAtFrom);
  const createdTo = instant(args.createdAtTo);
  const finished = instant(args.finishedAt?.slice(0, 10));
  return {
    ...(args.type && { types: args.type.flatMap((type) => types[type] ?? []) }),
    ...(args.state && { states: args.state.flatMap(jobStatesOf) }),
    ...(typeof args.passed === 'boolean' && { passed: args.passed }),
    ...(args.step?.key && { stepKeys: args.step.key }),
    ...(args.agentQueryRules && { agentQueryRules: args.agentQueryRules }),
    ...(args.concurrency?.group && { concurrencyGroups: args.concurrency.group }),
    ...(args.priority?.number && { priorities: args.priority.number }),
    ...(args.includeRetried === false && { current: true }),
    ...(createdFrom !== undefined && { createdFrom }),
    ...(createdTo !== undefined && { createdTo }),
    ...(finished !== undefined && { finishedFrom: finished, finishedTo: finished + day }),
  };
}

// States of jobs under the names of GraphQL.

const finished: readonly JobState[] = ['passed', 'failed'];

/** A job that ran to its end is `FINISHED`; whether it passed is another member. */
export const jobStateOf = (state: JobState): string =>
  finished.includes(state) ? 'FINISHED' : state.toUpperCase();

/** The states that a name stands for. */
export const jobStatesOf = (name: string): readonly JobState[] =>
  name === 'FINISHED' ? finished : [name.toLowerCase() as JobState];

// Artifacts of jobs, for those who may see their build.

/** Those of a job, in the order in which they were announced. */
function artifactsOf(context: GraphqlContext, jobId: string, args: PageArguments): Connection {
  const { artifacts } = context.service.store;
  const owner = { jobId };
  const found = artifacts.list(owner, { offset: 0, limit: artifacts.count(owner) });
  context.turns.count(found.length);
  return connection(found, args, keyOf, (artifact) => artifactNode(context, artifact));
}

const keyOf = ({ id }: Artifact): string => id;

/** By its UUID; null where there is none, or none that the caller may see. */
export function findArtifact(context: GraphqlContext, uuid: string): object | null {
  const artifact = context.service.store.artifacts.byId(uuid);
  const isSeen = artifact && visibleTree(context, artifact.buildId) !== undefined;
  return isSeen ? artifactNode(context, artifact) : null;
}

const artifactNode = (context: GraphqlContext, artifact: Artifact): object => ({
  __typename: 'Artifact',
  id: graphqlId('Artifact', artifact.id),
  uuid: artifact.id,
  path: artifact.path,
  // It needs no token: clients send none there.
  downloadURL: context.service.urls.artifactFile(artifact),
  mimeType: artifact.contentType,
  sha1sum: artifact.sha1,
  sha256sum: artifact.sha256,
  size: Math.min(artifact.fileSize, largestInt),
  state: artifact.state,
  expiresAt: null,
  job: () => jobOf(context, artifact),
});

/** GraphQL has no larger whole number, and an error in its place would hide the artifact. */
const largestInt = 2 ** 31 - 1;

function jobOf(context: GraphqlContext, { buildId, jobId }: Artifact): object | null {
  const tree = visibleTree(context, buildId);
  const job = tree && findJob(tree, jobId);
  return tree && job ? context.nodes.job(context, tree, job) : null;
}
