/** The filters of the build lists as SQL (specification, "Builds"). */
import { among, compare, every, type Condition } from './sql.ts';
import type { BuildState } from '../domain/records.ts';
import type { Value } from './database.ts';

export interface BuildFilters {
  /** Only builds of these organizations. */
  readonly organizationIds?: readonly string[] | undefined;
  readonly pipelineId?: string | undefined;
  /** Only this build: what a job's token may see. */
  readonly buildId?: string | undefined;
  readonly branches?: readonly string[] | undefined;
  readonly commits?: readonly string[] | undefined;
  readonly creatorId?: string | undefined;
  /** Milliseconds; the instant counts. */
  readonly createdFrom?: number | undefined;
  /** Milliseconds; the instant does not count. */
  readonly createdTo?: number | undefined;
  /** Milliseconds; the instant counts. */
  readonly finishedFrom?: number | undefined;
  readonly metaData?: readonly (readonly [key: string, value: string])[] | undefined;
  /** States of builds, `blocked`, and `finished`. */
  readonly states?: readonly string[] | undefined;
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
const finished = ['passed', 'failed', 'blocked', 'canceled'];

// Filters of build lists as groups of builds that share something: a build is in a list when it is
// in one of each group, and of each filter that no group stands for (`rest`).

/** The builds of one scope that share one thing, under the name that `build_counts` has for it. */
export interface Group {
  readonly scope: string;
  readonly name: string;
  readonly value: string;
  /** Where they stand in their order, and what to look for there. */
  readonly source: string;
  /** The column of that place. */
  readonly place: string;
  readonly values: readonly Value[];
}

export interface Scopes {
  readonly column: 'pipeline_id' | 'organization_id';
  readonly ids: readonly string[];
  /** Of the pipeline, or the same as `ids`. */
  readonly organizationIds: readonly string[];
}

/** Groups that a build has to be in one of, for each filter; no build is in two of one. */
export function groupsOf(filters: BuildFilters, scopes: Scopes): Group[][] {
  const groups = [
    statesOf(filters.states)?.map(([state, blocked]) =>
      trait('state', `${state}/${blocked}`, ['state', 'blocked'], [state, blocked]),
    ),
    unique(filters.branches)?.map((value) => trait('branch', value, ['branch'])),
    unique(filters.commits)?.map((value) => trait('commit', value, ['commit_id'])),
    unique(filters.creatorId === undefined ? undefined : [filters.creatorId])?.map((value) =>
      trait('creator', value, ['creator_id']),
    ),
    ...(filters.metaData ?? []).map(([name, value]) => [meta(name, value)]),
  ].filter((group) => group !== undefined);
  const chosen = groups.length > 0 ? groups : [[trait('all', '', [], [])]];
  return chosen.map((traits) =>
    scopes.ids.flatMap((scope) => traits.map((one) => one(scopes.column, scope))),
  );
}

/** All builds of organizations, found where their other columns stand beside them (`build-facts.ts`). */
export const factsOf = ({ organizationIds }: Scopes): Group[] =>
  organizationIds.map((scope) => ({
    ...{ scope, name: 'all', value: '' },
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
    ...{ scope, name, value },
    source: `builds b indexed by ${indexOf(column, name)} where
      ${[column, ...columns].map((one) => `b.${one} = ?`).join(' and ')} and b.seq`,
    place: 'b.seq',
    values: [scope, ...values],
  });

const indexOf = (column: Scopes['column'], name: string): string => {
  const isPipeline = column === 'pipeline_id';
  if (name === 'all') return isPipeline ? 'builds_by_pipeline' : 'builds_of_organizations';
  return `builds_of_${isPipeline ? 'pipelines' : 'organizations'}_by_${name}`;
};

const meta =
  (name: string, value: string): Trait =>
  (column, scope) => ({
    ...{ scope, name: `meta:${name}`, value },
    source: `build_meta m indexed by build_meta_of_${column === 'pipeline_id' ? 'pipelines' : 'organizations'}
      cross join builds b indexed by builds_facts
        on b.organization_id = m.organization_id and b.seq = m.build_seq
      where m.${column} = ? and m.name = ? and m.value = ? and m.build_seq`,
    place: 'm.build_seq',
    values: [scope, name, value],
  });

const unique = (values: readonly string[] | undefined): string[] | undefined =>
  values && [...new Set(values)];

/** `finished` and `blocked` are no states of their own: a blocked build has another state besides. */
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
