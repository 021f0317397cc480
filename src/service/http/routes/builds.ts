/** Specification, "Builds". */
import type { ServiceContext } from '../../service-context.ts';
import { cancelBuild } from '../../domain/cancel.ts';
import type { Build } from '../../domain/records.ts';
import type { Plan } from '../../pipeline/plan.ts';
import { makeBuild } from '../../scheduler/make-build.ts';
import { rebuild } from '../../scheduler/rebuild.ts';
import type { BuildFilters } from '../../store/build-filters.ts';
import { elementsOf } from '../json-pieces.ts';
import { jsonInTurns } from '../json-in-turns.ts';
import type { RouteResponse } from '../response.ts';
import { readNewBuild } from '../bodies/new-build.ts';
import { notFound } from '../api-error.ts';
import { readBuildFilters } from '../build-filters.ts';
import { findBuild, findOrganization, findPipeline, mayEdit } from '../lookups.ts';
import { onceForEach } from '../once.ts';
import { pageInTurns, sliceOf } from '../pages.ts';
import {
  buildPresenter,
  presentBuild,
  type BuildView,
  type BuildLocation,
} from '../present/build.ts';
import { boolean, texts } from '../query-parameters.ts';
import { route, type Call, type Route } from '../route.ts';

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

/** The response that is one build. */
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

/** How builds are asked for; what is beyond the specification halves and quarters a page. */
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

/** The newest first. A job sees its own build alone. */
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
    const tree = view.excludeJobs ? { build, plan: noPlan, jobs: [] } : builds.treeOf(build);
    return present(
      places(pipelineId, () => placeOf(service, build)),
      tree,
      view,
    );
  });
  return pageInTurns(call, builds.count(filters), shown);
}

/** Where no job is shown, none is read. */
const noPlan: Plan = { env: {}, steps: [], notices: [] };

function placeOf({ store }: ServiceContext, build: Build): BuildLocation {
  const organization = store.accounts.organizationById(build.organizationId);
  const pipeline = store.pipelines.byId(build.pipelineId);
  if (organization === undefined || pipeline === undefined) throw notFound('pipeline');
  return { organization, pipeline };
}
