import type { Query } from '../http/url.ts';
import { type RestClient, asItCame, both, identified, numbered, readable } from './rest-client.ts';
import { buildName, pipelineName, type BuildRef, type PipelineRef } from './refs.ts';
import { build, type Build } from './resources/build.ts';
import type { Call } from './call.ts';

export interface BuildFilters {
  readonly branch?: readonly string[];
  /** The service matches only full SHAs. */
  readonly commit?: readonly string[];
  /** ISO 8601 in UTC */
  readonly createdFrom?: string;
  readonly createdTo?: string;
  readonly creator?: string;
  readonly finishedFrom?: string;
  readonly includeRetriedJobs?: boolean;
  readonly metaData?: Readonly<Record<string, string>>;
  readonly state?: readonly string[];
}

/** `pipeline` requires `org`. An empty object lists builds in all accessible organizations. */
export interface BuildScope {
  readonly org?: string;
  readonly pipeline?: string;
}

interface GetBuild {
  readonly includeRetriedJobs?: boolean;
  /** If set, field types are not checked, for callers that pass the build on unchanged. */
  readonly asSent?: boolean;
  readonly signal?: AbortSignal;
  /** If set, throws if the response is a different build. For callers that wait for a build. */
  readonly exact?: boolean;
}

interface ListOptions {
  /** Page size (at most 100), not a limit on the list */
  readonly perPage?: number;
  /** Whether the caller will read all pages */
  readonly whole?: boolean;
  readonly signal?: AbortSignal;
}

export type Builds = ReturnType<typeof builds>;

export const builds = (rest: RestClient) => ({
  list: (scope: BuildScope, { whole = false, ...filters }: BuildFilters & ListOptions = {}) =>
    rest.pages<Build>(listCall(scope, filters), whole && isFixed(filters)),
  get: (
    ref: BuildRef,
    { includeRetriedJobs, asSent = false, exact = false, signal }: GetBuild = {},
  ) =>
    rest.one<Build>(
      {
        ...on(ref, 'GET', 'view'),
        query: { include_retried_jobs: includeRetriedJobs === true ? true : undefined },
        ...{ scope: 'read_builds', signal },
      },
      asSent ? asItCame : both(readable(build), exact ? numbered(ref.number) : asItCame),
    ),
  create: (ref: PipelineRef, body: Readonly<Record<string, unknown>>) =>
    rest.one<Build>(
      {
        ...{ method: 'POST', path: [...pipelinePath(ref), 'builds'], body },
        action: `create a build in ${pipelineName(ref)}`,
        ...{ scope: 'write_builds', subject: ref },
      },
      identified(build),
    ),
  cancel: (ref: BuildRef) =>
    rest.one<Build>(on(ref, 'PUT', 'cancel'), both(identified(build), numbered(ref.number))),
  rebuild: (ref: BuildRef) => rest.one<Build>(on(ref, 'PUT', 'rebuild'), identified(build)),
});

/** Whether the filters use only properties that never change after the build is created. */
const isFixed = ({ state, commit, finishedFrom, metaData }: BuildFilters): boolean =>
  ![state, commit, Object.keys(metaData ?? {})].some((values) => (values ?? []).length > 0) &&
  finishedFrom === undefined;

const on = (ref: BuildRef, method: 'GET' | 'PUT', verb: string): Call => ({
  method,
  path: [...buildPath(ref), ...(method === 'PUT' ? [verb] : [])],
  action: `${verb} build ${buildName(ref)}`,
  scope: 'write_builds',
  subject: ref,
});

function listCall(scope: BuildScope, filters: BuildFilters & ListOptions): Call {
  const { org, pipeline } = scope;
  const names = [org, pipeline].filter((name) => name !== undefined);
  return {
    method: 'GET',
    path: [...listPath(scope), 'builds'],
    query: listQuery(filters),
    action: names.length > 0 ? `list the builds in ${names.join('/')}` : 'list builds',
    scope: 'read_builds',
    signal: filters.signal,
    subject: scope,
  };
}

function listPath({ org, pipeline }: BuildScope): string[] {
  if (org === undefined) return ['v2'];
  return pipeline === undefined ? ['v2', 'organizations', org] : pipelinePath({ org, pipeline });
}

const listQuery = (filters: BuildFilters & ListOptions): Query => ({
  per_page: filters.perPage ?? 100,
  state: filters.state,
  branch: filters.branch,
  commit: filters.commit,
  creator: filters.creator,
  created_from: filters.createdFrom,
  created_to: filters.createdTo,
  finished_from: filters.finishedFrom,
  include_retried_jobs: filters.includeRetriedJobs === true ? true : undefined,
  meta_data: filters.metaData,
});

const pipelinePath = ({ org, pipeline }: PipelineRef): string[] =>
  ['v2', 'organizations', org].concat('pipelines', pipeline);

export const buildPath = (ref: BuildRef): (string | number)[] => [
  ...pipelinePath(ref),
  'builds',
  ref.number,
];
