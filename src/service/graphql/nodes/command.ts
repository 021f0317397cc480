/** What a job has that runs a command. */
import type { Job, Tree } from '../../domain/records.ts';
import type { RetryRules } from '../../pipeline/plan.ts';
import { iso, isoOrNull } from '../../http/present/scalars.ts';
import { shownEnvironment } from '../../http/routes/jobs.ts';
import type { PageArguments } from '../connection.ts';
import { visiblePipeline, type GraphqlContext } from '../context.ts';
import { agentNode } from './agents.ts';
import { artifactsOf } from './artifacts.ts';

export function commandMembers(context: GraphqlContext, tree: Tree, job: Job): object {
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
