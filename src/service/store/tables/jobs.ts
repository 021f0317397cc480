/** Jobs by themselves, and the agents that have had them. */
import type { Agent, Job, Build, Tree } from '../../domain/records.ts';
import type { Database, Row } from '../database.ts';
import { readRecord, writeRecord } from '../sql.ts';
import { demandOf } from '../../domain/agents.ts';
import type { Step } from '../../pipeline/plan.ts';

/** A job beside the build that it belongs to. */
export interface JobOfBuild {
  readonly buildId: string;
  readonly job: Job;
}

export const buildJobs = (database: Database) => ({
  job: (id: string): JobOfBuild | undefined => {
    const row = database.get('select build_id, data from jobs where id = ?', id);
    return row === undefined ? undefined : jobOfBuild(row);
  },
  /** An agent that has had a job of the organization. */
  agent: (organizationId: string, id: string): Agent | undefined => {
    const row = database.get(
      `select j.data from jobs j join builds b on b.id = j.build_id
       where json_extract(j.data, '$.agent.id') = ? and b.organization_id = ? limit 1`,
      id,
      organizationId,
    );
    return row === undefined ? undefined : (readRecord<Job>(row).agent ?? undefined);
  },
  /** When an agent's last job ended; null where none has. */
  lastFinishedAt: (agentId: string): number | null => {
    const row = database.get(
      `select max(json_extract(data, '$.finishedAt')) as at from jobs
       where json_extract(data, '$.agent.id') = ?`,
      agentId,
    );
    return row?.at === null || row === undefined ? null : Number(row.at);
  },
  /** Jobs in these states, the oldest first. */
  jobsIn: (...states: Job['state'][]): JobOfBuild[] =>
    states
      .flatMap((state) =>
        database.all('select seq, build_id, data from jobs where state = ?', state),
      )
      .sort((a, b) => Number(a.seq) - Number(b.seq))
      .map(jobOfBuild),
});

export const jobOfBuild = (row: Row): JobOfBuild => ({
  buildId: String(row.build_id),
  job: readRecord<Job>(row),
});

// Jobs that share a limit on how many of them run at once.

/** A job that waits for room, beside the place of its build among all. */
export interface LimitedJob extends JobOfBuild {
  readonly buildSeq: number;
}

export const groupJobs = (database: Database) => ({
  /** How many jobs of a group have been let through and have not come to an end. */
  groupLoad: (group: string): number =>
    Number(
      database.get(
        `select count(*) as n from jobs
         where concurrency_group = ? and state in ('scheduled', 'accepted', 'running', 'timing_out', 'canceling')`,
        group,
      )?.n,
    ),
  /** The first job of a group that waits for room, as jobs were created. */
  nextLimited: (group: string): LimitedJob | undefined => {
    const row = database.get(
      `select build_id, data, build_seq from jobs
       where concurrency_group = ? and state = 'limited' order by build_seq, position, seq limit 1`,
      group,
    );
    return row === undefined ? undefined : limitedJob(row);
  },
  /**
   * How many jobs of a group, at most `limit`, were created before in other builds and are not ready
   * yet. A build that waits for a person holds nobody up.
   */
  earlierInGroup: (group: string, { buildSeq }: LimitedJob, limit: number): number =>
    database.all(
      `select 1 as yes from jobs
       where concurrency_group = ? and state = 'waiting' and build_seq < ?
         and not (select blocked from builds where id = build_id) limit ?`,
      group,
      buildSeq,
      limit,
    ).length,
});

const limitedJob = (row: Row): LimitedJob => ({
  buildId: String(row.build_id),
  job: readRecord<Job>(row),
  buildSeq: Number(row.build_seq),
});

// Rows of jobs. Beside a job stand the columns by which the next one for a slot is found.

export function insertJob(database: Database, { build, plan }: Tree, job: Job): void {
  const step = plan.steps[job.step];
  database.run(
    `insert into jobs (id, build_id, build_seq, position, state, priority, step_key, concurrency_group,
       queue, demand, data) values (?, ?, (select seq from builds where id = ?), ?, ?, ?, ?, ?, ?, ?, ?)`,
    job.id,
    build.id,
    build.id,
    job.step,
    job.state,
    job.priority,
    step?.key ?? null,
    concurrencyGroup(build, step),
    queueOf(job, step),
    demandOf(build, job, step),
    writeRecord(job),
  );
}

/** Groups are those of an organization. */
export const concurrencyGroup = (build: Build, step: Step | undefined): string | null =>
  step?.type === 'command' && step.concurrency !== null
    ? `${build.organizationId}/${step.concurrency.group}`
    : null;

export function updateJob(database: Database, job: Job): void {
  database.run(
    'update jobs set position = ?, state = ?, priority = ?, data = ? where id = ?',
    job.step,
    job.state,
    job.priority,
    writeRecord(job),
    job.id,
  );
}

export function removeJob(database: Database, { id }: Job): void {
  database.run('delete from jobs where id = ?', id);
}

/** The rule that names the queue of a job, `queue=default` where none does; empty where no agent takes it. */
export function queueOf({ type }: Pick<Job, 'type'>, step: Step | undefined): string {
  if (type !== 'script') return '';
  const rules = step?.type === 'command' ? step.agentQueryRules : [];
  return rules.find((rule) => rule.startsWith('queue=')) ?? 'queue=default';
}
