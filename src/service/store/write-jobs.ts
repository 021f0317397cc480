/** Rows of jobs. Beside a job stand the columns by which the next one for a slot is found. */
import { demandOf } from '../domain/demand.ts';
import type { Build, Job, Tree } from '../domain/records.ts';
import type { Step } from '../pipeline/plan.ts';
import type { Database } from './database.ts';
import { queueOf } from './queue.ts';
import { writeRecord } from './records.ts';

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
