/** The filters of job lists as SQL, over a job `t` and its build `b`. */
import type { JobState, JobType } from '../domain/records.ts';
import type { Start } from './job-starts.ts';
import { among, compare, every, type Condition } from './sql-condition.ts';

export interface JobFilters {
  readonly organizationId?: string;
  readonly pipelineId?: string;
  readonly buildId?: string;
  readonly agentId?: string;
  /** Places among all jobs, as they were made; both count. */
  readonly places?: { readonly from: number; readonly to: number };
  /** Places among all jobs, as agents took them; both count. */
  readonly starts?: { readonly from: Start; readonly to: Start };
  readonly types?: readonly JobType[];
  readonly states?: readonly JobState[];
  /** Commands that passed, or that failed, softly or not. */
  readonly passed?: boolean;
  /** Without jobs in whose place another has come. */
  readonly current?: boolean;
  readonly stepKeys?: readonly string[];
  /** Groups of concurrency, as the file names them. */
  readonly concurrencyGroups?: readonly string[];
  readonly priorities?: readonly number[];
  /** Rules that the job has, all of them. */
  readonly agentQueryRules?: readonly string[];
  /** Milliseconds; the instant counts. */
  readonly createdFrom?: number;
  /** Milliseconds; the instant does not count. */
  readonly createdTo?: number;
  readonly finishedFrom?: number;
  readonly finishedTo?: number;
}

/** All that is given must hold. */
export function jobCondition(filters: JobFilters): Condition {
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
