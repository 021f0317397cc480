import type { ServiceContext } from '../../service-context.ts';
import type { Job, Tree } from '../../domain/records.ts';
import type { Step } from '../../pipeline/plan.ts';
import { presentAgent, presentShortAgent } from './agent.ts';
import type { BuildLocation } from './build.ts';
import { graphqlId, iso, isoOrNull } from './format.ts';
import { presentUser } from './user.ts';

/** Specification, "Job", with the newer members of the public service. Steps are not signed here. */
export function presentJob(
  service: ServiceContext,
  { organization, pipeline }: BuildLocation,
  tree: Tree,
  job: Job,
  { single }: { readonly single: boolean },
): object {
  const { urls } = service;
  const step = tree.plan.steps[job.step];
  const path = [organization.slug, pipeline.slug, tree.build.number, job.id] as const;
  const url = urls.job(...path);
  const script = job.type === 'script';
  return {
    id: job.id,
    graphql_id: graphqlId('Job', job.id),
    type: job.type,
    name: nameOf(step),
    ...(job.type === 'manual' ? manual(service, job, step, url) : {}),
    step_key: step?.key ?? '',
    group_key: null,
    step: { id: job.stepId, signature: null },
    priority: { number: 0 },
    agent_query_rules: step?.type === 'command' ? step.agentQueryRules : [],
    state: job.state,
    build_url: urls.build(organization.slug, pipeline.slug, tree.build.number),
    web_url: script ? urls.webJob(...path) : null,
    log_url: script ? `${url}/log` : null,
    raw_log_url: script ? `${url}/log.txt` : null,
    artifacts_url: script ? `${url}/artifacts` : '',
    command: step?.type === 'command' ? step.command : '',
    soft_failed: job.softFailed,
    exit_status: job.exitStatus,
    signal: job.signal,
    signal_reason: job.signalReason,
    artifact_paths: (step?.type === 'command' ? step.artifactPaths : null) ?? '',
    agent:
      job.agent && (single ? presentAgent : presentShortAgent)(service, organization, job.agent),
    created_at: iso(job.createdAt),
    scheduled_at: isoOrNull(job.scheduledAt),
    runnable_at: isoOrNull(job.runnableAt),
    started_at: isoOrNull(job.startedAt),
    finished_at: isoOrNull(job.finishedAt),
    expired_at: null,
    retried: job.retriedInJobId !== null,
    retried_in_job_id: job.retriedInJobId,
    retried_by: null,
    retries_count: job.retriesCount,
    retry_type: job.retryType,
    retry_source:
      job.retrySource === null
        ? null
        : { job_id: job.retrySource.jobId, retry_type: job.retrySource.type },
    parallel_group_index: null,
    parallel_group_total: null,
    matrix: null,
    cluster_id: null,
    cluster_url: null,
    cluster_queue_id: null,
    cluster_queue_url: null,
  };
}

/** A step without a label goes by what it does. */
export function nameOf(step: Step | undefined): string {
  if (step === undefined) return '';
  if (step.label !== null) return step.label;
  return step.type === 'command' ? step.command : step.type;
}

function manual(service: ServiceContext, job: Job, step: Step | undefined, url: string): object {
  const by =
    job.unblockedById === null ? undefined : service.store.accounts.user(job.unblockedById);
  return {
    label: nameOf(step),
    unblocked_by: by === undefined ? null : presentUser(service, by),
    unblocked_at: isoOrNull(job.unblockedAt),
    unblockable: job.state === 'blocked',
    unblock_url: `${url}/unblock`,
    fields: step?.type === 'block' ? step.fields : [],
  };
}
