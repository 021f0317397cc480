/** Jobs by themselves, and the agents that have had them. */
import type { Agent, Job } from '../domain/records.ts';
import type { Plan } from '../pipeline/plan.ts';
import type { Database, Row } from './database.ts';
import { readRecord } from './records.ts';

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
  /** The job that has waited longest for a slot. */
  nextJob: (): JobOfBuild | undefined => {
    const row = database.get(
      "select build_id, data from jobs where state = 'scheduled' order by seq limit 1",
    );
    return row === undefined ? undefined : jobOfBuild(row);
  },
  /** Jobs of an organization that have not come to an end, each beside its steps. */
  unfinishedJobs: (organizationId: string): { job: Job; plan: Plan }[] =>
    database
      .all(
        `select j.data, b.plan from jobs j join builds b on b.id = j.build_id
         where j.state in ('waiting', 'limited', 'scheduled', 'running', 'canceling')
           and b.organization_id = ?`,
        organizationId,
      )
      .map((row) => ({ job: readRecord<Job>(row), plan: JSON.parse(String(row.plan)) as Plan })),
  /** Jobs in these states, the oldest first. */
  jobsIn: (...states: Job['state'][]): JobOfBuild[] =>
    database
      .all(
        `select build_id, data from jobs where state in (${states.map(() => '?').join()}) order by seq`,
        ...states,
      )
      .map(jobOfBuild),
});

const jobOfBuild = (row: Row): JobOfBuild => ({
  buildId: String(row.build_id),
  job: readRecord<Job>(row),
});
