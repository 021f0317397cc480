import type { ServiceContext } from '../../service-context.ts';
import type { Job, Tree } from '../../domain/records.ts';
import { retryRefusal } from '../../domain/retry.ts';
import type { Step, Plan } from '../../pipeline/plan.ts';
import { pluginName } from '../../plugins/plugin.ts';
import { agentPresenter } from './agent.ts';
import type { BuildLocation } from './build.ts';
import { graphqlId, iso, isoOrNull } from './scalars.ts';
import { presentUser } from './organization.ts';
import { needsOf, type Need } from '../../domain/needs.ts';
import { demandOf, readDemand } from '../../domain/agents.ts';

/** See "Job" in the specification. Includes newer public fields and our own fields. */
export function presentJob(
  service: ServiceContext,
  { organization, pipeline }: BuildLocation,
  tree: Tree,
  job: Job,
  view: { readonly single: boolean },
  presentAgent = agentPresenter(service, organization, view),
  waitsOf = agentWaits(service),
): object {
  const step = tree.plan.steps[job.step];
  const command = step?.type === 'command' ? step : undefined;
  const waits = waitsOf(tree, job);
  const path = [organization.slug, pipeline.slug, tree.build.number, job.id] as const;
  return {
    id: job.id,
    graphql_id: graphqlId('Job', job.id),
    type: job.type,
    name: nameOf(step),
    ...(job.type === 'manual' && manual(service, job, step, service.urls.job(...path))),
    step_key: step?.key ?? '',
    group_key: step?.group?.key ?? null,
    // Our addition to the API.
    ...(step?.group && { group_label: step.group.label }),
    step: { id: job.stepId, signature: null },
    // Our addition to the API.
    depends_on: dependsOn(tree, job),
    priority: { number: job.priority },
    agent_query_rules: command?.agentQueryRules ?? [],
    state: job.state,
    // Our addition to the API.
    ...(step?.omitted && { omitted_reason: step.omitted.reason }),
    ...(waits.length > 0 && { waiting_for_agents: waits }),
    ...addresses(service, path, job),
    command: command?.command ?? '',
    soft_failed: job.softFailed,
    exit_status: job.exitStatus,
    signal: job.signal,
    signal_reason: job.signalReason,
    // Our addition to the API.
    ...(job.promised !== undefined && {
      promised_failure: { exit_status: job.promised.exitStatus, reason: job.promised.reason },
    }),
    artifact_paths: command?.artifactPaths ?? '',
    agent: job.agent && presentAgent(job.agent),
    ...times(job),
    ...retries(job),
    // Our addition to the API.
    retryable: retryRefusal(tree, job) === undefined,
    parallel_group_index: command?.parallel?.index ?? null,
    parallel_group_total: command?.parallel?.total ?? null,
    matrix: command?.matrix ?? null,
    ...(job.type === 'trigger' && { triggered_build: triggeredBuild(service, path[0], job) }),
    ...neverSet,
  };
}

function addresses(
  { urls }: ServiceContext,
  path: readonly [org: string, slug: string, number: number, id: string],
  { type, state, triggered }: Job,
): object {
  const [org, slug, number] = path;
  const url = urls.job(...path);
  const isScript = type === 'script';
  // The log of a trigger job shows which build it created, or why it did not create one.
  const hasLog = isScript || triggered !== null || (type === 'trigger' && state === 'failed');
  return {
    build_url: urls.build(org, slug, number),
    web_url: isScript ? urls.webJob(...path) : null,
    log_url: hasLog ? `${url}/log` : null,
    raw_log_url: hasLog ? `${url}/log.txt` : null,
    artifacts_url: isScript ? `${url}/artifacts` : '',
  };
}

const times = (job: Job): object => ({
  created_at: iso(job.createdAt),
  scheduled_at: isoOrNull(job.scheduledAt),
  runnable_at: isoOrNull(job.runnableAt),
  started_at: isoOrNull(job.startedAt),
  finished_at: isoOrNull(job.finishedAt),
  expired_at: isoOrNull(job.state === 'expired' ? job.finishedAt : null),
});

const retries = ({ retriedInJobId, retriesCount, retryType, retrySource }: Job): object => ({
  retried: retriedInJobId !== null,
  retried_in_job_id: retriedInJobId,
  retried_by: null,
  retries_count: retriesCount,
  retry_type: retryType,
  retry_source: retrySource && { job_id: retrySource.jobId, retry_type: retrySource.type },
});

function triggeredBuild({ urls }: ServiceContext, org: string, { triggered }: Job): object | null {
  if (triggered === null) return null;
  const { buildId: id, number, pipelineSlug } = triggered;
  const url = urls.build(org, pipelineSlug, number);
  return { id, number, url, web_url: urls.webBuild(org, pipelineSlug, number) };
}

const neverSet = {
  ...{ cluster_id: null, cluster_url: null, cluster_queue_id: null, cluster_queue_url: null },
};

export function nameOf(step: Step | undefined): string {
  if (step === undefined) return '';
  if (step.label !== null) return step.label;
  if (step.type === 'trigger') return step.pipeline;
  if (step.type !== 'command') return step.type;
  // Without a command, the plugins do all of the work.
  const plugins = step.plugins.map(({ source }) => pluginName(source)).join(', ');
  return step.command || (step.key ?? plugins);
}

function manual(service: ServiceContext, job: Job, step: Step | undefined, url: string): object {
  const by =
    job.unblockedById === null ? undefined : service.store.accounts.user(job.unblockedById);
  return {
    label: nameOf(step),
    // Our addition to the API.
    ...(step !== undefined && 'prompt' in step && step.prompt !== null && { prompt: step.prompt }),
    unblocked_by: by === undefined ? null : presentUser(service, by),
    unblocked_at: isoOrNull(job.unblockedAt),
    unblockable: job.state === 'blocked',
    unblock_url: `${url}/unblock`,
    fields: step !== undefined && 'fields' in step ? step.fields : [],
  };
}

const dependencies = new WeakMap<Plan['steps'], readonly string[][]>();

/** Keys from `depends_on`, and step IDs for implicit dependencies. Cached per build. */
function dependsOn(tree: Tree, { step }: Job): readonly string[] {
  const { steps } = tree.plan;
  const lists = dependencies.get(steps) ?? allDependencies(tree);
  dependencies.set(steps, lists);
  return lists[step] ?? [];
}

function allDependencies({ plan, jobs }: Tree): readonly string[][] {
  const idOf = new Map(jobs.map(({ step, stepId }) => [step, stepId]));
  const namesOf = ({ key, list }: Need): string[] =>
    key === null ? list.steps.flatMap((one) => idOf.get(one) ?? []) : [key];
  return needsOf(plan.steps).map((needs) => [...new Set(needs.flatMap(namesOf))]);
}

export function unmetDemands({ engine, store }: Pick<ServiceContext, 'engine' | 'store'>) {
  const jobs = new Map<string, { readonly tags: readonly string[]; jobs: number }>();
  for (const demand of store.waitingJobs.demands()) {
    if (engine.agents.serves(demand)) continue;
    const tags = readDemand(demand).rules;
    const counted = jobs.get(tags.join()) ?? { tags, jobs: 0 };
    counted.jobs += store.waitingJobs.count(demand);
    jobs.set(tags.join(), counted);
  }
  return [...jobs.values()];
}

/** Finds tags that a job needs but no agent has. Checks identical requirements only once. */
export function agentWaits({ engine }: Pick<ServiceContext, 'engine'>) {
  const unmet = onceForEach<readonly string[]>();
  return ({ build, plan }: Tree, job: Job): readonly string[] => {
    if (job.state !== 'scheduled' || job.type !== 'script') return [];
    const demand = demandOf(build, job, plan.steps[job.step]);
    return unmet(demand, () => (engine.agents.serves(demand) ? [] : readDemand(demand).rules));
  };
}

/** Calls `make` only once per key, for values that the elements of a list share. */
export function onceForEach<T>(): (key: string, make: () => T) => T {
  const made = new Map<string, { readonly value: T }>();
  return (key, make) => {
    const known = made.get(key) ?? { value: make() };
    made.set(key, known);
    return known.value;
  };
}
