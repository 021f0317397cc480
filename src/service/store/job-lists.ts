/** Lists of jobs across builds. */
import type { Database } from './database.ts';
import { jobCondition, type JobFilters } from './job-filters.ts';
import { jobStarts } from './job-starts.ts';
import { windowSql, type Window } from './window.ts';

export type JobLists = ReturnType<typeof jobLists>;

/**
 * `created`: the newest first. `started`: those that an agent took last first. `steps`: as the steps
 * of their build stand, a retry behind the job that it replaces; for jobs of one build.
 */
export type JobOrder = 'created' | 'started' | 'steps';

const keys: Readonly<Record<JobOrder, readonly string[]>> = {
  created: ['t.seq'],
  started: ['t.started_at', 't.seq'],
  steps: ['-t.position', '-t.seq'],
};

// A cross join is read from the left: jobs are taken in their order until the page is full.
const from = 'jobs t cross join builds b on b.id = t.build_id';

/** By the index that has this order, where the jobs are not those of one build. */
const fromOf = ({ starts }: JobFilters): string =>
  starts === undefined ? from : from.replace('jobs t', 'jobs t indexed by jobs_by_start');

/** A job's id beside that of its build. */
export interface JobKey {
  readonly id: string;
  readonly buildId: string;
}

export const jobLists = (database: Database) => ({
  ...jobStarts(database),
  window: (filters: JobFilters, order: JobOrder, window: Window): JobKey[] => {
    const condition = jobCondition(filters);
    const piece = windowSql('jobs', keys[order], window);
    const sql = `select t.id, t.build_id from ${fromOf(filters)} where ${condition.where} and ${piece.where}
      order by ${piece.orderBy} limit ?`;
    return database
      .all(sql, ...condition.values, ...piece.values, window.limit)
      .map((row) => ({ id: String(row.id), buildId: String(row.build_id) }));
  },
  /** Places of the first and the last job among all that were ever made; nothing where there is none. */
  places: (): { from: number; to: number } | undefined => {
    const { first, last } =
      database.get('select (select min(seq) from jobs) first, (select max(seq) from jobs) last') ??
      {};
    return typeof first === 'number' ? { from: first, to: Number(last) } : undefined;
  },
  place: (id: string): number | undefined => {
    const row = database.get('select seq from jobs where id = ?', id);
    return row === undefined ? undefined : Number(row['seq']);
  },
  count: (filters: JobFilters): number => {
    const { where, values } = jobCondition(filters);
    return Number(database.get(`select count(*) as n from ${from} where ${where}`, ...values)?.n);
  },
});
