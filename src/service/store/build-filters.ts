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

/** All that is given must hold; of a list, one. */
export function condition(filters: BuildFilters): Condition {
  return every([
    among('organization_id', filters.organizationIds),
    among('branch', filters.branches),
    among('commit_id', filters.commits),
    compare('pipeline_id =', filters.pipelineId),
    compare('id =', filters.buildId),
    compare('creator_id =', filters.creatorId),
    compare('created_at >=', filters.createdFrom),
    compare('created_at <', filters.createdTo),
    compare('finished_at >=', filters.finishedFrom),
    ...(filters.metaData ?? []).map(holds),
    inStates(filters.states),
  ]);
}

const holds = ([key, value]: readonly [string, string]): Condition => ({
  where: `exists (select 1 from json_each(data, '$.metaData') m where m.key = ? and m.value = ?)`,
  values: [key, value],
});

function inStates(states: readonly string[] | undefined): Condition | undefined {
  if (states === undefined) return undefined;
  const wanted = states.flatMap((state) =>
    state === 'finished' ? ['passed', 'failed', 'blocked', 'canceled'] : [state],
  );
  const named = `state in (${wanted.map(() => '?').join()})`;
  return { where: wanted.includes('blocked') ? `(blocked or ${named})` : named, values: wanted };
}
