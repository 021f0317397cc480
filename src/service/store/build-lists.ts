/** Lists of builds, and how many there are. */
import type { Build } from '../domain/records.ts';
import { condition, type BuildFilters } from './build-filters.ts';
import type { Database, Row } from './database.ts';
import { readRecord } from './records.ts';
import { windowSql, type Window } from './window.ts';

/** `offset` builds are left out, then at most `limit` come. */
export interface Slice {
  readonly offset: number;
  readonly limit: number;
}

export const buildLists = (database: Database) => ({
  /** The newest first. */
  list: (filters: BuildFilters, { offset, limit }: Slice): Build[] => {
    const { where, values } = condition(filters);
    const sql = `select data from builds where ${where} order by seq desc limit ? offset ?`;
    return database.all(sql, ...values, limit, offset).map(readRecord<Build>);
  },
  /** Ids of a piece of the list, the newest first, or the oldest where it is read from its end. */
  window: (filters: BuildFilters, window: Window): string[] => {
    const { where, values } = condition(filters);
    const piece = windowSql('builds', ['t.seq'], window);
    const sql = `select id from builds t where ${where} and ${piece.where}
      order by ${piece.orderBy} limit ?`;
    return database.all(sql, ...values, ...piece.values, window.limit).map(({ id }) => String(id));
  },
  count: (filters: BuildFilters): number => {
    const { where, values } = condition(filters);
    return Number(database.get(`select count(*) as n from builds where ${where}`, ...values)?.n);
  },
  /** How much of a pipeline is under way (specification, "Pipeline"). */
  counts: (pipelineId: string): PipelineCounts => countStates(database, pipelineId),
});

export interface PipelineCounts {
  readonly scheduled_builds_count: number;
  readonly running_builds_count: number;
  readonly scheduled_jobs_count: number;
  readonly running_jobs_count: number;
  readonly waiting_jobs_count: number;
}

function countStates(database: Database, pipelineId: string): PipelineCounts {
  const builds = database.all(
    `select state, count(*) as n from builds where pipeline_id = ?
       and state in ('scheduled', 'running', 'failing', 'canceling') group by state`,
    pipelineId,
  );
  const jobs = database.all(
    `select j.state, count(*) as n from jobs j join builds b on b.id = j.build_id
     where j.state in ('scheduled', 'running', 'canceling', 'waiting', 'limited')
       and b.pipeline_id = ? group by j.state`,
    pipelineId,
  );
  const sum = (rows: Row[], ...states: string[]): number =>
    rows.reduce((n, row) => n + (states.includes(String(row.state)) ? Number(row.n) : 0), 0);
  return {
    scheduled_builds_count: sum(builds, 'scheduled'),
    running_builds_count: sum(builds, 'running', 'failing', 'canceling'),
    scheduled_jobs_count: sum(jobs, 'scheduled'),
    running_jobs_count: sum(jobs, 'running', 'canceling'),
    waiting_jobs_count: sum(jobs, 'waiting', 'limited'),
  };
}
