/** The filters of the build lists as SQL (specification, "Builds"). */
import { among, compare, every, type Condition } from './sql-condition.ts';

export interface BuildFilters {
  /** Only builds of these organizations. */
  readonly organizationIds?: readonly string[];
  readonly pipelineId?: string;
  /** Only this build: what a job's token may see. */
  readonly buildId?: string;
  readonly branches?: readonly string[];
  readonly commits?: readonly string[];
  readonly creatorId?: string;
  /** Milliseconds; the instant counts. */
  readonly createdFrom?: number;
  /** Milliseconds; the instant does not count. */
  readonly createdTo?: number;
  /** Milliseconds; the instant counts. */
  readonly finishedFrom?: number;
  readonly metaData?: readonly (readonly [key: string, value: string])[];
  /** States of builds, `blocked`, and `finished`. */
  readonly states?: readonly string[];
}

/** All that is given must hold, of a build `b`; of a list, one. */
export const condition = (filters: BuildFilters): Condition =>
  every([
    among('b.organization_id', filters.organizationIds),
    among('b.branch', filters.branches),
    among('b.commit_id', filters.commits),
    compare('b.pipeline_id =', filters.pipelineId),
    compare('b.creator_id =', filters.creatorId),
    timeCondition(filters),
    ...(filters.metaData ?? []).map(holds),
    inStates(filters.states),
  ]);

/** The part of it about times. */
export const timeCondition = (filters: TimeFilters): Condition =>
  every([
    compare('b.created_at >=', filters.createdFrom),
    compare('b.created_at <', filters.createdTo),
    compare('b.finished_at >=', filters.finishedFrom),
  ]);

export type TimeFilters = Pick<BuildFilters, 'createdFrom' | 'createdTo' | 'finishedFrom'>;

export const hasTimes = ({ createdFrom, createdTo, finishedFrom }: TimeFilters): boolean =>
  createdFrom !== undefined || createdTo !== undefined || finishedFrom !== undefined;

const holds = ([name, value]: readonly [string, string]): Condition => ({
  where: `exists (select 1 from build_meta o where o.build_seq = b.seq and o.name = ? and o.value = ?)`,
  values: [name, value],
});

function inStates(states: readonly string[] | undefined): Condition | undefined {
  if (states === undefined) return undefined;
  const wanted = states.flatMap((state) => (state === 'finished' ? finished : [state]));
  const named = `b.state in (${wanted.map(() => '?').join()})`;
  return { where: wanted.includes('blocked') ? `(b.blocked or ${named})` : named, values: wanted };
}

/** States that `finished` stands for. */
export const finished = ['passed', 'failed', 'blocked', 'canceled'];
