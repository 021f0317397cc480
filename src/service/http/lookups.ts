// Finds the records in a URL path. Records that the caller may not see count as missing.
import type { ServiceContext } from '../service-context.ts';
import { findJob as findJobOf } from '../domain/find-job.ts';
import type { Build, Job, Organization, Tree } from '../domain/records.ts';
import { notFound } from './api-error.ts';
import type { BuildLocation } from './present/build.ts';
import type { Call, Caller } from './route.ts';

type Named<Name extends string> = Pick<Call<Name>, 'params' | 'caller'>;

export function findOrganization(
  service: ServiceContext,
  { params, caller }: Named<'org'>,
): Organization {
  const organization = service.store.accounts.organization(params.org);
  if (organization === undefined || !maySee(caller, organization.id))
    throw notFound('organization');
  return organization;
}

export const maySee = ({ token }: Caller, organizationId: string): boolean =>
  token.organizationIds.includes(organizationId);

export function findPipeline(
  service: ServiceContext,
  call: Named<'org' | 'pipeline'>,
): BuildLocation {
  const organization = findOrganization(service, call);
  const pipeline = service.store.pipelines.find(organization.id, call.params.pipeline);
  if (pipeline === undefined) throw notFound('pipeline');
  return { organization, pipeline };
}

/** Throws `ApiError` 404 if the pipeline was removed. */
export function locationOf({ store }: ServiceContext, build: Build): BuildLocation {
  const organization = store.accounts.organizationById(build.organizationId);
  const pipeline = store.pipelines.byId(build.pipelineId);
  if (organization === undefined || pipeline === undefined) throw notFound('pipeline');
  return { organization, pipeline };
}

export type LocatedBuild = BuildLocation & { readonly build: Build };

/** Finds a build by its number or (not in the specification) its UUID. */
export function findBuild(
  service: ServiceContext,
  call: Named<'org' | 'pipeline' | 'number'>,
): LocatedBuild {
  const location = findPipeline(service, call);
  const { builds } = service.store;
  const text = call.params.number;
  const build = /^\d{1,15}$/.test(text)
    ? builds.find(location.pipeline.id, Number(text))
    : uuid.test(text)
      ? builds.byId(text.toLowerCase())
      : undefined;
  if (build?.pipelineId !== location.pipeline.id || !isOwnBuild(call.caller, build.id))
    throw notFound('build');
  return { ...location, build };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A job's token only gives access to the job's own build. */
const isOwnBuild = ({ token }: Caller, buildId: string): boolean =>
  token.buildId === null || token.buildId === buildId;

export type LocatedJob = LocatedBuild & { readonly tree: Tree; readonly job: Job };

export type JobCall = Call<'org' | 'pipeline' | 'number' | 'job'>;
/** Some clients send URLs without the pipeline and the build. */
export type ShortJobCall = Call<'org' | 'job'>;

export function findJob(service: ServiceContext, call: JobCall | ShortJobCall): LocatedJob {
  const location =
    'number' in call.params ? findBuild(service, call as JobCall) : ofJob(service, call);
  const tree = service.store.builds.tree(location.build.id);
  const job = tree && findJobOf(tree, call.params.job);
  if (tree === undefined || job === undefined) throw notFound('job');
  return { ...location, tree, job };
}

function ofJob(service: ServiceContext, call: ShortJobCall): LocatedBuild {
  const organization = findOrganization(service, call);
  const { builds, pipelines } = service.store;
  const build = builds.byId(builds.job(call.params.job)?.buildId ?? '');
  const pipeline = build && pipelines.byId(build.pipelineId);
  if (pipeline?.organizationId !== organization.id || !build || !isOwnBuild(call.caller, build.id))
    throw notFound('job');
  return { organization, pipeline, build };
}

export function mayEdit(
  service: ServiceContext,
  { user }: Caller,
  organizationId: string,
): boolean {
  return user !== undefined && service.store.accounts.role(user.id, organizationId) === 'admin';
}
