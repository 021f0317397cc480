import type { Artifact, Job, JobState, JobType, Tree } from '../../domain/records.ts';
import { nameOf } from '../../http/present/job.ts';
import { graphqlId, isoOrNull, iso } from '../../http/present/scalars.ts';
import {
  visibleJobNode,
  visibleOrganization,
  visiblePipeline,
  visiblePipelineNode,
  visibleTree,
  type GraphqlContext,
} from '../context.ts';
import { userNode } from './user.ts';
import type { RetryRules } from '../../pipeline/plan.ts';
import { shownEnvironment } from '../../http/routes/jobs.ts';
import {
  connection,
  idOf,
  instant,
  nothing,
  storedConnection,
  type Connection,
  type PageArguments,
} from '../connection.ts';
import { agentNode } from './agents.ts';
import type { JobFilters, JobOrder } from '../../store/job-lists.ts';
import { scanJobs } from '../scan-jobs.ts';

const typeNames: Readonly<Record<JobType, string>> = {
  script: 'JobTypeCommand',
  waiter: 'JobTypeWait',
  manual: 'JobTypeBlock',
  trigger: 'JobTypeTrigger',
};

/** Contains the fields of all job types. Queries only select the fields of the actual type. */
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

function sourceOf(context: GraphqlContext, tree: Tree, { retrySource }: Job): object | undefined {
  const source = tree.jobs.find(({ id }) => id === retrySource?.jobId);
  return source && jobNode(context, tree, source);
}

function commandMembers(context: GraphqlContext, tree: Tree, job: Job): object {
  const step = tree.plan.steps[job.step];
  const command = step?.type === 'command' ? step : undefined;
  return {
    command: command?.command ?? null,
    pipeline: () => visiblePipelineNode(context, tree.build.pipelineId),
    agent: () => job.agent && agentNode(context, tree.build.organizationId, job.agent),
    agentQueryRules: command?.agentQueryRules ?? [],
    artifacts: (args: PageArguments) => artifactsOf(context, job.id, args),
    automaticArtifactUploadPaths: command?.artifactPaths ?? null,
    env: async () =>
      Object.entries(await shownEnvironment(context.service, tree, job)).map(
        ([name, value]) => `${name}=${value}`,
      ),
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

/** The signal reasons that have a name in the schema. */
const reasons = [
  'agent_incompatible',
  'agent_refused',
  'agent_stop',
  'cancel',
  'process_run_error',
  'signature_rejected',
  'stack_error',
];

const reasonOf = ({ signalReason }: Job): string | null =>
  signalReason !== null && reasons.includes(signalReason) ? signalReason.toUpperCase() : null;

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

/** Lists the jobs of one build in step order, or the jobs of several builds newest first. */
export function jobsOf(
  context: GraphqlContext,
  scope: JobFilters,
  args: JobArguments,
): Promise<Connection> | Connection {
  // No job belongs to a cluster.
  if (args.cluster || (args.clusterQueue ?? []).length > 0) return nothing();
  const { builds, jobs } = context.service.store;
  const filters = { ...filtersOf(args), ...scope };
  const order = args.order === 'RECENTLY_ASSIGNED' ? 'started' : 'created';
  const scan =
    scope.buildId === undefined ? scanJobs(jobs, filters, context.turns, order) : undefined;
  const orderInBuild: JobOrder = order === 'created' ? 'steps' : order;
  return storedConnection(
    {
      window: (window) => {
        context.turns.count(windowWeight);
        return scan?.window(window) ?? jobs.window(filters, orderInBuild, window);
      },
      count: () => scan?.count() ?? jobs.count(filters),
      idOf,
      isKnown: (id) => builds.job(id) !== undefined,
      node: ({ id, buildId }) => visibleJobNode(context, buildId, id),
    },
    args,
  );
}

/** Cost of reading one page, measured in fields. */
const windowWeight = 100;

const types: Readonly<Record<string, JobType>> = {
  COMMAND: 'script',
  WAIT: 'waiter',
  BLOCK: 'manual',
  TRIGGER: 'trigger',
};

const day = 86_400_000;

function filtersOf(args: JobArguments): JobFilters {
  const finished = instant(args.finishedAt?.slice(0, 10));
  return {
    types: args.type?.flatMap((type) => types[type] ?? []),
    states: args.state?.flatMap(jobStatesOf),
    passed: args.passed ?? undefined,
    stepKeys: args.step?.key ?? undefined,
    agentQueryRules: args.agentQueryRules ?? undefined,
    concurrencyGroups: args.concurrency?.group ?? undefined,
    priorities: args.priority?.number ?? undefined,
    current: args.includeRetried === false,
    createdFrom: instant(args.createdAtFrom),
    createdTo: instant(args.createdAtTo),
    finishedFrom: finished,
    finishedTo: finished === undefined ? undefined : finished + day,
  };
}

const finishedStates: readonly JobState[] = ['passed', 'failed'];

/** The schema's name for a state. `passed` distinguishes the two kinds of `FINISHED` jobs. */
export const jobStateOf = (state: JobState): string =>
  finishedStates.includes(state) ? 'FINISHED' : state.toUpperCase();

export const jobStatesOf = (name: string): readonly JobState[] =>
  name === 'FINISHED' ? finishedStates : [name.toLowerCase() as JobState];

/** Lists the artifacts in the order in which the job registered them. */
function artifactsOf(context: GraphqlContext, jobId: string, args: PageArguments): Connection {
  const { artifacts } = context.service.store;
  const owner = { jobId };
  const found = artifacts.list(owner, { offset: 0, limit: artifacts.count(owner) });
  context.turns.count(found.length);
  return connection(found, args, idOf, (artifact) => artifactNode(context, artifact));
}

export function findArtifact(context: GraphqlContext, uuid: string): object | undefined {
  const artifact = context.service.store.artifacts.byId(uuid);
  return artifact && visibleTree(context, artifact.buildId) && artifactNode(context, artifact);
}

const artifactNode = (context: GraphqlContext, artifact: Artifact): object => ({
  __typename: 'Artifact',
  id: graphqlId('Artifact', artifact.id),
  uuid: artifact.id,
  path: artifact.path,
  // Clients do not send a token to this URL, so it must work without one.
  downloadURL: context.service.urls.artifactFile(artifact),
  mimeType: artifact.contentType,
  sha1sum: artifact.sha1,
  sha256sum: artifact.sha256,
  size: Math.min(artifact.fileSize, largestInt),
  state: artifact.state,
  expiresAt: null,
  job: () => visibleJobNode(context, artifact.buildId, artifact.jobId),
});

/** A larger number does not fit into `Int` and would cause an error instead of an artifact. */
const largestInt = 2 ** 31 - 1;
