/** Jobs by themselves, and the agents that have had them. */
import type { Agent, Job } from '../domain/records.ts';
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
