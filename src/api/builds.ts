import type { Query } from '../http/url.ts';
import { type RestClient, asItCame, both, identified, numbered, readable } from './rest-client.ts';
import type { Pages } from './pages.ts';
import { buildName, pipelineName, type BuildRef, type PipelineRef } from './refs.ts';
import { build, type Build } from './resources/build.ts';
import type { Call } from './call.ts';

/** Query parameters of the build lists (Specification, "Builds"). */
export interface BuildFilters {
  readonly branch?: readonly string[];
  /** Full SHAs: the service matches nothing shorter. */
  readonly commit?: readonly string[];
  /** UTC, ISO 8601, as the three other times. */
  readonly createdFrom?: string;
  readonly createdTo?: string;
  /** A user's id. */
  readonly creator?: string;
  readonly finishedFrom?: string;
  readonly includeRetriedJobs?: boolean;
  readonly metaData?: Readonly<Record<string, string>>;
  readonly state?: readonly string[];
}

/** Body of "Create a build"; members without a value are left out. */
export interface NewBuild {
  readonly commit: string;
  readonly branch: string;
  readonly author?: { readonly name?: string; readonly email?: string };
  readonly clean_checkout?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly ignore_pipeline_branch_filters?: boolean;
  readonly message?: string;
  readonly meta_data?: Readonly<Record<string, string>>;
  readonly pull_request_base_branch?: string;
  readonly pull_request_id?: number;
  readonly pull_request_repository?: string;
}

/** Without members: every organization of the token; with `pipeline`, `org` is needed too. */
export interface BuildScope {
  readonly org?: string;
  readonly pipeline?: string;
}

export interface GetBuild {
  readonly includeRetriedJobs?: boolean;
  /** The members are not checked: only to pass the object on, not to read them. */
  readonly asSent?: boolean;
  /** Ends the call; its reason is thrown. */
  readonly signal?: AbortSignal;
  /** Refuse another build than the requested one: needed to wait for its end. */
  readonly exact?: boolean;
}

export interface ListOptions {
  readonly perPage?: number;
  readonly whole?: boolean;
  /** Ends the requests of the list; its reason is thrown. */
  readonly signal?: AbortSignal;
}

export interface Builds {
  /**
   * Newest first. `perPage` (at most 100) is the size of a page, not a limit; `whole` says that all
   * of the list is wanted.
   */
  list(scope: BuildScope, filters?: BuildFilters & ListOptions): Pages<Build>;
  get(ref: BuildRef, options?: GetBuild): Promise<Build>;
  /** `body` is sent as it is: a `NewBuild`, or JSON from the user that the service validates. */
  create(ref: PipelineRef, body: NewBuild | Readonly<Record<string, unknown>>): Promise<Build>;
  /** Answers with the state `canceled`, or `canceling` while its jobs end. */
  cancel(ref: BuildRef): Promise<Build>;
  /** Answers with the new build. */
  rebuild(ref: BuildRef): Promise<Build>;
}

export const builds = (rest: RestClient): Builds => ({
  list: (scope, { whole = false, ...filters } = {}) =>
    rest.pages<Build>(listCall(scope, filters), whole && isFixed(filters)),
  get: (ref, { includeRetriedJobs, asSent = false, exact = false, signal } = {}) =>
    rest.one<Build>(
      {
        ...on(ref, 'GET', 'view'),
        query: { include_retried_jobs: includeRetriedJobs === true ? true : undefined },
        ...{ scope: 'read_builds', signal },
      },
      asSent ? asItCame : both(readable(build), exact ? numbered(ref.number) : asItCame),
    ),
  create: (ref, body) =>
    rest.one<Build>(
      {
        method: 'POST',
        path: [...pipelinePath(ref), 'builds'],
        body,
        action: `create a build of ${pipelineName(ref)}`,
        scope: 'write_builds',
        subject: ref,
      },
      identified(build),
    ),
  cancel: (ref) =>
    rest.one<Build>(on(ref, 'PUT', 'cancel'), both(identified(build), numbered(ref.number))),
  rebuild: (ref) => rest.one<Build>(on(ref, 'PUT', 'rebuild'), identified(build)),
});

/** Whether no build can join or leave the list after it was created: these change while it runs. */
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

function listCall(scope: BuildScope, { signal, ...filters }: BuildFilters & ListOptions): Call {
  const { org, pipeline } = scope;
  const names = [org, pipeline].filter((name) => name !== undefined);
  return {
    method: 'GET',
    path: [...listPath(scope), 'builds'],
    query: listQuery(filters),
    action: names.length > 0 ? `list the builds of ${names.join('/')}` : 'list builds',
    scope: 'read_builds',
    ...(signal && { signal }),
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

const pipelinePath = ({ org, pipeline }: PipelineRef): string[] => [
  ...['v2', 'organizations', org],
  ...['pipelines', pipeline],
];

/** Segments of a build's address. */
export const buildPath = (ref: BuildRef): (string | number)[] => [
  ...pipelinePath(ref),
  'builds',
  ref.number,
];
