import type { Database, Row } from './database.ts';
import {
  among,
  compare,
  every,
  readNumber,
  windowSql,
  type Condition,
  type Window,
} from './sql.ts';
import type { JobState, JobType } from '../domain/records.ts';

export type JobLists = ReturnType<typeof jobLists>;

/**
 * `created`: newest first. `started`: last started first. `steps`: in the order of the steps, with
 * each retry after the job that it replaces (only for the jobs of one build).
 */
export type JobOrder = 'created' | 'started' | 'steps';

const keys: Readonly<Record<JobOrder, readonly string[]>> = {
  created: ['t.seq'],
  started: ['t.started_at', 't.seq'],
  steps: ['-t.position', '-t.seq'],
};

// In a cross join, SQLite reads the left table first. Therefore jobs are read in order, and only
// until the page is full.
const from = 'jobs t cross join builds b on b.id = t.build_id';

const fromOf = ({ starts }: JobFilters): string =>
  starts === undefined ? from : from.replace('jobs t', 'jobs t indexed by jobs_by_start');

export interface JobKey {
  readonly id: string;
  readonly buildId: string;
}

export const jobLists = (database: Database) => ({
  window: (filters: JobFilters, order: JobOrder, window: Window): JobKey[] => {
    const condition = jobCondition(filters);
    const piece = windowSql('jobs', keys[order], window);
    const sql = `select t.id, t.build_id from ${fromOf(filters)} where ${condition.where} and ${piece.where}
      order by ${piece.orderBy} limit ?`;
    return database
      .all(sql, ...condition.values, ...piece.values, window.limit)
      .map((row) => ({ id: String(row.id), buildId: String(row.build_id) }));
  },
  /** Returns the positions of the first and the last job by creation; undefined without jobs. */
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
  start: (id: string): Start | undefined =>
    startOf(database.get('select started_at, seq from jobs where id = ?', id)),
  endOfStarts: (which: 'first' | 'last'): Start | undefined =>
    startOf(
      database.get(
        `${select} where started_at >= 0 order by ${which === 'first' ? ascending : descending} limit 1`,
      ),
    ),
  /** Returns the position `steps` jobs away; undefined if it is beyond the end of the list. */
  startBeyond: ({ at, seq }: Start, steps: number, to: 'later' | 'earlier'): Start | undefined => {
    const [sign, order] = to === 'later' ? ['>=', ascending] : ['<=', descending];
    const where = `where (started_at, seq) ${sign} (?, ?)`;
    return startOf(
      database.get(`${select} ${where} order by ${order} limit 1 offset ?`, at, seq, steps),
    );
  },
  count: (filters: JobFilters): number => {
    const { where, values } = jobCondition(filters);
    return readNumber(database, `select count(*) as n from ${from} where ${where}`, ...values);
  },
});

export interface JobFilters {
  readonly organizationId?: string | undefined;
  readonly pipelineId?: string | undefined;
  readonly buildId?: string | undefined;
  readonly agentId?: string | undefined;
  /** Range of positions in order of creation, inclusive. */
  readonly places?: { readonly from: number; readonly to: number };
  /** Range of positions in order of start time, inclusive. */
  readonly starts?: { readonly from: Start; readonly to: Start };
  readonly types?: readonly JobType[] | undefined;
  readonly states?: readonly JobState[] | undefined;
  /** True for command jobs that passed; false for those that failed, including soft failures. */
  readonly passed?: boolean | undefined;
  /** Excludes jobs that were retried. */
  readonly current?: boolean | undefined;
  readonly stepKeys?: readonly string[] | undefined;
  readonly concurrencyGroups?: readonly string[] | undefined;
  readonly priorities?: readonly number[] | undefined;
  /** The job must have all of these agent query rules. */
  readonly agentQueryRules?: readonly string[] | undefined;
  /** All times are in milliseconds. `From` is inclusive; `To` is exclusive. */
  readonly createdFrom?: number | undefined;
  readonly createdTo?: number | undefined;
  readonly finishedFrom?: number | undefined;
  readonly finishedTo?: number | undefined;
}

/** Returns the SQL condition for a job `t` and its build `b`. */
function jobCondition(filters: JobFilters): Condition {
  return every([
    compare('b.organization_id =', filters.organizationId),
    compare('b.pipeline_id =', filters.pipelineId),
    compare('t.build_id =', filters.buildId),
    compare(`${member('agent.id')} =`, filters.agentId),
    compare('t.seq >=', filters.places?.from),
    compare('t.seq <=', filters.places?.to),
    atStart('>=', filters.starts?.from),
    atStart('<=', filters.starts?.to),
    inStates(filters.states),
    among(member('type'), filters.types),
    among('t.step_key', filters.stepKeys),
    compare(`${member('createdAt')} >=`, filters.createdFrom),
    compare(`${member('createdAt')} <`, filters.createdTo),
    compare(`${member('finishedAt')} >=`, filters.finishedFrom),
    compare(`${member('finishedAt')} <`, filters.finishedTo),
    inGroups(filters.concurrencyGroups),
    among('t.priority', filters.priorities),
    ...(filters.agentQueryRules ?? []).map(hasRule),
    ...passedConditions(filters.passed),
    filters.current === true
      ? { where: `${member('retriedInJobId')} is null`, values: [] }
      : undefined,
  ]);
}

const atStart = (sign: string, start: Start | undefined): Condition | undefined =>
  start && { where: `(t.started_at, t.seq) ${sign} (?, ?)`, values: [start.at, start.seq] };

const member = (name: string): string => `json_extract(t.data, '$.${name}')`;

const step = `'$.steps[' || ${member('step')} || ']`;

/** The index on states is only fast for rare states. Otherwise, `+` makes SQLite ignore it. */
const inStates = (states: readonly JobState[] | undefined): Condition | undefined =>
  among(states?.some((state) => commonStates.includes(state)) ? '+t.state' : 't.state', states);

const commonStates: readonly JobState[] = [
  'passed',
  'failed',
  'waiting_failed',
  'canceled',
  'skipped',
];

const inGroups = (groups: readonly string[] | undefined): Condition | undefined =>
  groups && {
    where: `t.concurrency_group in (${groups.map(() => "b.organization_id || '/' || ?").join()})`,
    values: groups,
  };

const hasRule = (rule: string): Condition => ({
  where: `exists (select 1 from plans p, json_each(p.plan, ${step}.agentQueryRules') r
    where p.build_id = b.id and r.value = ?)`,
  values: [rule],
});

function passedConditions(passed: boolean | undefined): (Condition | undefined)[] {
  if (passed === undefined) return [];
  return [
    among(member('type'), ['script']),
    inStates(passed ? ['passed'] : ['failed', 'timed_out']),
  ];
}

/** A position in a list sorted by start time. `at` is 0 for a job that has not started. */
export interface Start {
  readonly at: number;
  readonly seq: number;
}

const select = 'select started_at, seq from jobs indexed by jobs_by_start';
const ascending = 'started_at, seq';
const descending = 'started_at desc, seq desc';

const startOf = (row: Row | undefined): Start | undefined =>
  row && { at: Number(row['started_at']), seq: Number(row['seq']) };
