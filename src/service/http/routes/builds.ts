import { locationOf, findBuild, findOrganization, findPipeline, mayEdit } from '../lookups.ts';
import type { Tree, Build, Author, PullRequest } from '../../domain/records.ts';
import type { ServiceContext } from '../../service-context.ts';
import { cancelBuild } from '../../domain/build-lifecycle.ts';
import { makeBuild, type NewBuild, rebuild } from '../../scheduler/make-build.ts';
import type { BuildFilters } from '../../store/build-filters.ts';
import { elementsOf, jsonInTurns } from '../json-in-turns.ts';
import type { RouteResponse } from '../response.ts';
import { refused } from '../api-error.ts';
import { onceForEach } from '../present/job.ts';
import { pageInTurns, sliceOf } from '../paging.ts';
import {
  buildPresenter,
  presentBuild,
  type BuildView,
  type BuildLocation,
} from '../present/build.ts';
import { boolean, texts, instant, pairs } from '../query-parameters.ts';
import { route, type Call, type Route } from '../route.ts';
import { hasNul, bodyReader, withoutNul, type BodyReader } from '../body-reader.ts';

const ofPipeline = '/v2/organizations/:org/pipelines/:pipeline/builds';
const ofBuild = `${ofPipeline}/:number` as const;

export const buildRoutes: readonly Route[] = [
  route('GET', '/v2/builds', 'read_builds', (call, service) =>
    listBuilds(service, call, { organizationIds: call.caller.token.organizationIds }),
  ),
  route('GET', '/v2/organizations/:org/builds', 'read_builds', (call, service) =>
    listBuilds(service, call, { organizationIds: [findOrganization(service, call).id] }),
  ),
  route('GET', ofPipeline, 'read_builds', (call, service) =>
    listBuilds(service, call, { pipelineId: findPipeline(service, call).pipeline.id }),
  ),
  route('GET', ofBuild, 'read_builds', (call, service) => {
    const location = findBuild(service, call);
    return one(service, call, location, location.build);
  }),
  route('POST', ofPipeline, 'write_builds', async (call, service) => {
    const location = findPipeline(service, call);
    const wanted = readNewBuild(await call.body());
    const build = await makeBuild(service, location, {
      ...wanted,
      creatorId: call.caller.user?.id ?? null,
    });
    return one(service, call, location, build, 201);
  }),
  route('PUT', `${ofBuild}/cancel`, 'write_builds', (call, service) => {
    const location = findBuild(service, call);
    const { build } = service.engine.change(location.build.id, (tree) =>
      cancelBuild(tree, null, service.clock.now(), call.caller.user?.id),
    );
    return one(service, call, location, build);
  }),
  route('PUT', `${ofBuild}/rebuild`, 'write_builds', async (call, service) => {
    const location = findBuild(service, call);
    const build = await rebuild(service, location, location.build, call.caller.user?.id);
    return one(service, call, location, build);
  }),
];

function one(
  service: ServiceContext,
  call: Call,
  location: BuildLocation,
  build: Build,
  status = 200,
): Promise<RouteResponse> {
  const view = viewOf(service, call, location.organization.id, true);
  const tree = service.store.builds.treeOf(build);
  return jsonInTurns(presentBuild(service, location, tree, view), { status });
}

/** The `exclude_*` parameters are not in the specification. */
function viewOf(
  service: ServiceContext,
  call: Call,
  organizationId: string,
  single: boolean,
): BuildView {
  const { query, caller } = call;
  return {
    single,
    mayEdit: mayEdit(service, caller, organizationId),
    includeRetriedJobs: boolean(query.get('include_retried_jobs')),
    jobStates: texts(query, 'job_states'),
    excludeJobs: boolean(query.get('exclude_jobs')),
    excludePipeline: boolean(query.get('exclude_pipeline')),
  };
}

/** Lists the newest builds first. A job's token only gives access to the job's own build. */
function listBuilds(
  service: ServiceContext,
  call: Call,
  scope: BuildFilters,
): Promise<RouteResponse> {
  const { buildId } = call.caller.token;
  const filters = { ...readBuildFilters(call.query), ...scope, ...(buildId && { buildId }) };
  const { builds } = service.store;
  const [places, views] = [onceForEach<BuildLocation>(), onceForEach<BuildView>()];
  const present = buildPresenter(service);
  const shown = elementsOf(builds.list(filters, sliceOf(call)), (build) => {
    const { organizationId, pipelineId } = build;
    const view = views(organizationId, () => viewOf(service, call, organizationId, false));
    const place = places(pipelineId, () => locationOf(service, build));
    return present(place, view.excludeJobs ? withoutJobs(build) : builds.treeOf(build), view);
  });
  return pageInTurns(call, builds.count(filters), shown);
}

const withoutJobs = (build: Build): Tree => ({
  ...{ build, plan: { env: {}, steps: [], notices: [] }, jobs: [] },
});

/** Ignores unknown parameters. Throws `ApiError` 422 for an invalid time. */
function readBuildFilters(query: URLSearchParams): BuildFilters {
  const metaData = pairs(query, 'meta_data');
  const filters = {
    branches: texts(query, 'branch'),
    commits: texts(query, 'commit'),
    states: texts(query, 'state'),
    creatorId: query.get('creator') || undefined,
    createdFrom: instant(query, 'created_from'),
    createdTo: instant(query, 'created_to'),
    finishedFrom: instant(query, 'finished_from'),
    metaData: metaData.length > 0 ? metaData : undefined,
  };
  return Object.fromEntries(Object.entries(filters).filter(([, one]) => one !== undefined));
}

export function readNewBuild(body: unknown): NewBuild {
  const members = bodyReader(body);
  const wanted: NewBuild = {
    commit: members.required('commit'),
    branch: members.required('branch'),
    message: members.text('message') ?? '',
    author: readAuthor(members),
    env: members.map('env'),
    metaData: members.map('meta_data'),
    cleanCheckout: members.flag('clean_checkout'),
    ignoreBranchFilters: members.flag('ignore_pipeline_branch_filters'),
    pullRequest: readPullRequest(members),
  };
  members.done();
  const wrong = Object.keys(wanted.env).find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  if (wrong !== undefined)
    throw refused(
      `"${wrong}" is not a valid environment variable name (only a-z, A-Z, 0-9 and underscores are allowed)`,
    );
  return wanted;
}

/** Returns null if name and email are missing, because some clients send `{}`. */
function readAuthor(members: BodyReader): Author | null {
  const input = members.object('author') ?? {};
  const part = (name: 'name' | 'email'): string => {
    const value = input[name] ?? '';
    const isText = typeof value === 'string';
    if (isText && !hasNul(value)) return value;
    const field = `author.${name}`;
    members.reject('author', isText ? withoutNul(field) : `${field} must be a string`);
    return '';
  };
  const author = { name: part('name'), email: part('email') };
  return author.name === '' && author.email === '' ? null : author;
}

function readPullRequest(members: BodyReader): PullRequest | null {
  const id = members.integer('pull_request_id');
  if (id !== undefined && id < 1)
    members.reject('pull_request_id', 'pull_request_id must be at least 1');
  const base = members.text('pull_request_base_branch') ?? null;
  const repository = members.text('pull_request_repository') ?? null;
  return id === undefined ? null : { id: String(id), base, repository };
}
