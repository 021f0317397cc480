/** Turns the filters of build lists into SQL. */
import { among, compare, every, type Condition } from './sql.ts';
import type { BuildState } from '../domain/records.ts';
import type { Value } from './database.ts';

export interface BuildFilters {
  readonly organizationIds?: readonly string[] | undefined;
  readonly pipelineId?: string | undefined;
  /** The only build that a job token can see. */
  readonly buildId?: string | undefined;
  readonly branches?: readonly string[] | undefined;
  readonly commits?: readonly string[] | undefined;
  readonly creatorId?: string | undefined;
  /** In milliseconds, inclusive. */
  readonly createdFrom?: number | undefined;
  /** In milliseconds, exclusive. */
  readonly createdTo?: number | undefined;
  /** In milliseconds, inclusive. */
  readonly finishedFrom?: number | undefined;
  /** A build must have all of these meta-data entries. */
  readonly metaData?: readonly (readonly [key: string, value: string])[] | undefined;
  /** Build states, `blocked`, or `finished`. */
  readonly states?: readonly string[] | undefined;
}

export const condition = (filters: BuildFilters): Condition =>
  every([
    among('b.organization_id', filters.organizationIds),
    among('b.branch', filters.branches),
    among('b.commit_id', filters.commits),
    compare('b.pipeline_id =', filters.pipelineId),
    compare('b.creator_id =', filters.creatorId),
    timeCondition(filters),
    ...(filters.metaData ?? []).map(([name, value]): Condition => ({
      where: `exists (select 1 from build_meta o where o.build_seq = b.seq and o.name = ? and o.value = ?)`,
      values: [name, value],
    })),
    inStates(filters.states),
  ]);

export const timeCondition = (filters: BuildFilters): Condition =>
  every([
    compare('b.created_at >=', filters.createdFrom),
    compare('b.created_at <', filters.createdTo),
    compare('b.finished_at >=', filters.finishedFrom),
  ]);

export const hasTimes = ({ createdFrom, createdTo, finishedFrom }: BuildFilters): boolean =>
  createdFrom !== undefined || createdTo !== undefined || finishedFrom !== undefined;

function inStates(states: readonly string[] | undefined): Condition | undefined {
  if (states === undefined) return undefined;
  const wanted = states.flatMap((state) => (state === 'finished' ? finished : [state]));
  const named = `b.state in (${wanted.map(() => '?').join()})`;
  return { where: wanted.includes('blocked') ? `(b.blocked or ${named})` : named, values: wanted };
}

const finished = ['passed', 'failed', 'blocked', 'canceled'];

/** Builds of one scope that share a trait, such as a branch (see `build_counts`). */
export interface Group {
  readonly scope: string;
  readonly name: string;
  readonly value: string;
  /** SQL from the table name to the column `place`, with placeholders for `values`. */
  readonly source: string;
  readonly place: string;
  readonly values: readonly Value[];
}

export interface Scopes {
  readonly column: 'pipeline_id' | 'organization_id';
  readonly ids: readonly string[];
  /** The organization of the pipeline if the scope is a pipeline; otherwise equal to `ids`. */
  readonly organizationIds: readonly string[];
}

/**
 * Returns a list of groups for each filter, except the time filters. A build matches a filter if
 * one of the filter's groups contains it. No build is in two groups of the same filter.
 */
export function groupsOf(filters: BuildFilters, scopes: Scopes): Group[][] {
  const { branches, commits, creatorId, metaData = [] } = filters;
  const groups = [
    statesOf(filters.states)?.map(([state, blocked]) =>
      trait('state', `${state}/${blocked}`, ['state', 'blocked'], [state, blocked]),
    ),
    unique(branches)?.map((value) => trait('branch', value, ['branch'])),
    unique(commits)?.map((value) => trait('commit', value, ['commit_id'])),
    creatorId === undefined ? undefined : [trait('creator', creatorId, ['creator_id'])],
    ...metaData.map(([name, value]) => [meta(name, value)]),
  ].filter((group) => group !== undefined);
  const chosen = groups.length > 0 ? groups : [[trait('all', '', [], [])]];
  return chosen.map((traits) =>
    scopes.ids.flatMap((scope) => traits.map((one) => one(scopes.column, scope))),
  );
}

/** Returns all builds of the organizations. The index covers all filters except meta-data. */
export const allBuilds = ({ organizationIds }: Scopes): Group[] =>
  organizationIds.map((scope) => ({
    scope,
    name: 'all',
    value: '',
    source: 'builds b indexed by builds_facts where b.organization_id = ? and b.seq',
    place: 'b.seq',
    values: [scope],
  }));

type Trait = (column: Scopes['column'], scope: string) => Group;

const trait =
  (
    name: string,
    value: string,
    columns: readonly string[],
    values: readonly Value[] = [value],
  ): Trait =>
  (column, scope) => ({
    scope,
    name,
    value,
    source: `builds b indexed by ${indexOf(column, name)} where
      ${[column, ...columns].map((one) => `b.${one} = ?`).join(' and ')} and b.seq`,
    place: 'b.seq',
    values: [scope, ...values],
  });

function indexOf(column: Scopes['column'], name: string): string {
  const isPipeline = column === 'pipeline_id';
  if (name === 'all') return isPipeline ? 'builds_by_pipeline' : 'builds_of_organizations';
  return `builds_of_${isPipeline ? 'pipelines' : 'organizations'}_by_${name}`;
}

const meta =
  (name: string, value: string): Trait =>
  (column, scope) => ({
    scope,
    name: `meta:${name}`,
    value,
    source: `build_meta m indexed by build_meta_of_${column === 'pipeline_id' ? 'pipelines' : 'organizations'}
      cross join builds b indexed by builds_facts
        on b.organization_id = m.organization_id and b.seq = m.build_seq
      where m.${column} = ? and m.name = ? and m.value = ? and m.build_seq`,
    place: 'm.build_seq',
    values: [scope, name, value],
  });

const unique = (values: readonly string[] | undefined): string[] | undefined =>
  values && [...new Set(values)];

/** Returns pairs of a state and `blocked`, which is stored in addition to the build's state. */
function statesOf(states: readonly string[] | undefined): [BuildState, 0 | 1][] | undefined {
  if (states === undefined) return undefined;
  const named = new Set(states.flatMap((state) => (state === 'finished' ? finished : [state])));
  return allStates.flatMap((state): [BuildState, 0 | 1][] => [
    ...(named.has(state) ? [[state, 0] as [BuildState, 0]] : []),
    ...(named.has(state) || named.has('blocked') ? [[state, 1] as [BuildState, 1]] : []),
  ]);
}

const allStates: readonly BuildState[] = [
  ...(['scheduled', 'running', 'failing', 'passed', 'failed'] as const),
  ...(['canceling', 'canceled', 'skipped', 'not_run'] as const),
];
