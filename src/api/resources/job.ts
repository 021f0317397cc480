import { describeJob } from './describe.ts';
import { agent } from './agent.ts';
import { durationOf } from './duration.ts';
import {
  boolean,
  columnsAt,
  integer,
  json,
  one,
  prose,
  resource,
  state,
  text,
  texts,
  time,
  url,
  words,
  type ResourceValue,
} from './resource.ts';
import { statusOf } from './states.ts';
import { user } from './user.ts';

/** spec.md, "Job". Manual jobs also have the fields from `label` to `unblock_url`. */
export const job = resource({
  name: 'job',
  plural: 'jobs',
  references: ['id', 'step_key'],
  identity: ['id', 'state'],
  members: {
    id: text(),
    graphql_id: text(),
    type: text(),
    name: prose(),
    step_key: text(),
    step: json(),
    depends_on: texts(),
    group_key: text(),
    group_label: prose(),
    priority: json(),
    agent_query_rules: texts(),
    state: state(),
    web_url: url(),
    log_url: url(),
    raw_log_url: url(),
    artifacts_url: url(),
    command: text(),
    soft_failed: boolean(),
    omitted_reason: text(),
    waiting_for_agents: texts(),
    exit_status: integer(),
    signal: text(),
    signal_reason: text(),
    artifact_paths: text(),
    agent: one(agent),
    created_at: time(),
    scheduled_at: time(),
    runnable_at: time(),
    started_at: time(),
    finished_at: time(),
    expired_at: time(),
    retried: boolean(),
    retried_in_job_id: text(),
    retries_count: integer(),
    retry_source: json(),
    retry_type: text(),
    retryable: boolean(),
    parallel_group_index: integer(),
    parallel_group_total: integer(),
    matrix: json(),
    cluster_id: text(),
    cluster_url: url(),
    cluster_queue_id: text(),
    cluster_queue_url: url(),
    label: prose(),
    prompt: prose(),
    unblocked_by: one(user),
    unblocked_at: time(),
    unblockable: boolean(),
    unblock_url: url(),
    fields: json(),
    triggered_build: json(),
  },
  computed: { duration: durationOf, status: statusOf },
  describe: describeJob,
  hasNoRow: (element) => 'type' in element && element.type === 'waiter',
  columns: [
    { path: 'state', heading: 'STATE', priority: 1 },
    {
      ...{ path: 'name', or: 'label', heading: 'NAME', text: jobTitle, tail: partOfParallel },
      ...{ stays: true, least: 16, priority: 0 },
    },
    { path: 'step_key', heading: 'KEY', givesWay: true, least: 12, priority: 3 },
    { path: 'exit_status', heading: 'EXIT', priority: 4 },
    { path: 'duration', heading: 'TOOK', show: 'took', priority: 2 },
    { path: 'id', heading: 'ID', givesWay: true, isSpare: true, priority: 5 },
  ],
  tsv: [
    ...columnsAt('id', 'state', 'type'),
    { path: 'name', or: 'label', heading: 'NAME' },
    ...columnsAt('step_key', 'exit_status', 'started_at', 'finished_at', 'duration'),
  ],
  detail: words(`id state type name label step_key command exit_status signal signal_reason
    soft_failed agent.name waiting_for_agents created_at runnable_at started_at
    finished_at retries_count retried_in_job_id unblockable unblocked_by.name
    unblocked_at web_url`),
});

export type Job = ResourceValue<typeof job>;

type JobMembers = Readonly<Record<string, unknown>>;

export function jobTitle({ name, label, step_key, command, type }: JobMembers): string | undefined {
  const firstLine = typeof command === 'string' ? command.trim().split('\n', 1)[0] : undefined;
  const title = name === command ? firstLine : name;
  return [title, label, step_key, firstLine, type].find(isText);
}

/** `1/2` for a parallel job, unless its name already contains that. */
export function partOfParallel(job: JobMembers): string | undefined {
  const { parallel_group_index: index, parallel_group_total: total } = job;
  if (typeof index !== 'number' || typeof total !== 'number' || total < 2) return undefined;
  const part = `${index + 1}/${total}`;
  return ` ${jobTitle(job) ?? ''} `.includes(` ${part} `) ? undefined : part;
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '';

export interface Execution {
  readonly job: Job;
  readonly earlier: readonly Job[];
}

/**
 * Separates the newest execution of each job from the earlier ones. A job may refer to its retry
 * (spec.md, "Job": `retried_in_job_id`), or the retry to the job (newer services: `retry_source`).
 * A retried job is kept if its retry is not in the list.
 */
export function executions(jobs: readonly Job[]): Execution[] {
  const links = predecessors(jobs);
  const replaced = new Set(links.values());
  return jobs
    .filter((job) => !replaced.has(job))
    .map((job) => ({ job, earlier: chain(job, links) }));
}

function predecessors(jobs: readonly Job[]): Map<string, Job> {
  const byId = new Map(jobs.map((job) => [job.id ?? '', job]));
  const links = new Map<string, Job>();
  for (const job of jobs) {
    const successor = job.retried_in_job_id;
    if (successor && successor !== job.id && byId.has(successor)) links.set(successor, job);
    const source = byId.get(sourceOf(job) ?? '');
    if (source !== undefined && source !== job && job.id) links.set(job.id, source);
  }
  return acyclic(jobs, links);
}

function sourceOf({ retry_source: source }: Job): string | undefined {
  if (typeof source !== 'object' || source === null || !('job_id' in source)) return undefined;
  return typeof source.job_id === 'string' ? source.job_id : undefined;
}

/** Drops links that form a cycle; otherwise all jobs in the cycle would be hidden. */
function acyclic(jobs: readonly Job[], links: Map<string, Job>): Map<string, Job> {
  const isFirst = (job: Job): boolean => !links.has(job.id ?? '');
  const sound = new Map<string, Job>();
  for (const job of jobs) {
    const before = chain(job, links);
    const [first] = before;
    const direct = before.at(-1);
    if (first !== undefined && direct !== undefined && isFirst(first))
      sound.set(job.id ?? '', direct);
  }
  return sound;
}

function chain(job: Job, links: ReadonlyMap<string, Job>): Job[] {
  const found: Job[] = [];
  const seen = new Set([job]);
  for (let at = links.get(job.id ?? ''); at !== undefined && !seen.has(at);) {
    seen.add(at);
    found.unshift(at);
    at = links.get(at.id ?? '');
  }
  return found;
}
