/** Lists of jobs across builds. */
import type { Database, Row } from './database.ts';
import { windowSql, type Window, among, compare, every, type Condition } from './sql.ts';
import type { JobState, JobType } from '../domain/records.ts';

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

// The filters of job lists as SQL, over a job `t` and its build `b`.

export interface JobFilters {
  readonly organizationId?: string | undefined;
  readonly pipelineId?: string | undefined;
  readonly buildId?: string | undefined;
  readonly agentId?: string | undefined;
  /** Places among all jobs, as they were made; both count. */
  readonly places?: { readonly from: number; readonly to: number };
  /** Places among all jobs, as agents took them; both count. */
  readonly starts?: { readonly from: Start; readonly to: Start };
  readonly types?: readonly JobType[] | undefined;
  readonly states?: readonly JobState[] | undefined;
  /** Commands that passed, or that failed, softly or not. */
  readonly passed?: boolean | undefined;
  /** Without jobs in whose place another has come. */
  readonly current?: boolean | undefined;
  readonly stepKeys?: readonly string[] | undefined;
  /** Groups of concurrency, as the file names them. */
  readonly concurrencyGroups?: readonly string[] | undefined;
  readonly priorities?: readonly number[] | undefined;
  /** Rules that the job has, all of them. */
  readonly agentQueryRules?: readonly string[] | undefined;
  /** Milliseconds; the instant counts. */
  readonly createdFrom?: number | undefined;
  /** Milliseconds; the instant does not count. */
  readonly createdTo?: number | undefined;
  readonly finishedFrom?: number | undefined;
  readonly finishedTo?: number | undefined;
}

/** All that is given must hold. */
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
    ...outcome(filters.passed),
    filters.current === true ? fixed(`${member('retriedInJobId')} is null`) : undefined,
  ]);
}

const atStart = (sign: string, start: Start | undefined): Condition | undefined =>
  start && { where: `(t.started_at, t.seq) ${sign} (?, ?)`, values: [start.at, start.seq] };

const member = (name: string): string => `json_extract(t.data, '$.${name}')`;

const step = `'$.steps[' || ${member('step')} || ']`;

const fixed = (where: string): Condition => ({ where, values: [] });

/** The index of states is of use for those that few jobs are in; `+` keeps it out of the way else. */
const inStates = (states: readonly JobState[] | undefined): Condition | undefined =>
  among(states?.some((state) => piling.includes(state)) ? '+t.state' : 't.state', states);

const piling: readonly JobState[] = ['passed', 'failed', 'waiting_failed', 'canceled', 'skipped'];

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

function outcome(passed: boolean | undefined): (Condition | undefined)[] {
  if (passed === undefined) return [];
  return [among(member('type'), ['script']), inStates(passed ? ['passed'] : failures)];
}

const failures: readonly JobState[] = ['failed', 'timed_out'];

// The jobs in the order in which agents took them: places in it, and steps along it.

/** A place: when an agent took the job, 0 where none has, and where it stands among all as they were made. */
export interface Start {
  readonly at: number;
  readonly seq: number;
}

const jobStarts = (database: Database) => ({
  start: (id: string): Start | undefined =>
    startOf(database.get('select started_at, seq from jobs where id = ?', id)),
  /** The place of the job that was taken last, or first. */
  endOfStarts: (which: 'first' | 'last'): Start | undefined =>
    startOf(
      database.get(
        `${select} where started_at >= 0 order by ${which === 'first' ? ascending : descending} limit 1`,
      ),
    ),
  /** The place that is `steps` jobs further, to later ones or to earlier ones; nothing behind the last. */
  startBeyond: ({ at, seq }: Start, steps: number, to: 'later' | 'earlier'): Start | undefined => {
    const [sign, order] = to === 'later' ? ['>=', ascending] : ['<=', descending];
    const where = `where (started_at, seq) ${sign} (?, ?)`;
    return startOf(
      database.get(`${select} ${where} order by ${order} limit 1 offset ?`, at, seq, steps),
    );
  },
});

const select = 'select started_at, seq from jobs indexed by jobs_by_start';
const ascending = 'started_at, seq';
const descending = 'started_at desc, seq desc';

const startOf = (row: Row | undefined): Start | undefined =>
  row && { at: Number(row['started_at']), seq: Number(row['seq']) };
