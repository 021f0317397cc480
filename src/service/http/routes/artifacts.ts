/** Beyond the specification, as in the public service: the artifacts of builds and jobs. */
import type { Artifact } from '../../domain/records.ts';
import type { ServiceContext } from '../../service-context.ts';
import type { ArtifactOwner } from '../../store/artifacts.ts';
import { notFound } from '../api-error.ts';
import { findBuild, findJob, type LocatedBuild } from '../lookups.ts';
import { page, sliceOf } from '../pages.ts';
import { presentArtifact } from '../present/artifact.ts';
import { empty, json, type RouteResponse } from '../response.ts';
import { route, type Call, type Route } from '../route.ts';
import { jobPaths } from './jobs.ts';

const ofBuild = '/v2/organizations/:org/pipelines/:pipeline/builds/:number/artifacts';
const read = 'read_artifacts';
const own = { jobs: true };

export const artifactRoutes: readonly Route[] = [
  route(
    'GET',
    ofBuild,
    read,
    (call, service) => {
      const location = findBuild(service, call);
      return list(service, call, location, { buildId: location.build.id });
    },
    own,
  ),
  ...jobPaths().flatMap((path) => [
    route(
      'GET',
      `${path}/artifacts`,
      read,
      (call, service) => {
        const location = findJob(service, call);
        return list(service, call, location, { jobId: location.job.id });
      },
      own,
    ),
    route(
      'GET',
      `${path}/artifacts/:artifact`,
      read,
      (call, service) => {
        const { location, artifact } = findArtifact(service, call);
        return json(presentArtifact(service, location, artifact));
      },
      own,
    ),
    route(
      'GET',
      `${path}/artifacts/:artifact/download`,
      read,
      (call, service) => redirect(service, findArtifact(service, call).artifact),
      own,
    ),
    route('DELETE', `${path}/artifacts/:artifact`, 'write_artifacts', (call, service) =>
      remove(service, findArtifact(service, call).artifact),
    ),
  ]),
];

function list(
  service: ServiceContext,
  call: Call,
  location: LocatedBuild,
  owner: ArtifactOwner,
): RouteResponse {
  const { artifacts } = service.store;
  const found = artifacts.list(owner, sliceOf(call));
  const shown = found.map((artifact) => presentArtifact(service, location, artifact));
  return page(call, artifacts.count(owner), shown);
}

function findArtifact(
  service: ServiceContext,
  call: Call<'org' | 'job' | 'artifact'>,
): { location: LocatedBuild; artifact: Artifact } {
  const location = findJob(service, call);
  const artifact = service.store.artifacts.byId(call.params.artifact);
  if (artifact?.jobId !== location.job.id) throw notFound('artifact');
  return { location, artifact };
}

/** To an address that needs no token, so that none goes elsewhere. */
function redirect({ urls }: ServiceContext, artifact: Artifact): RouteResponse {
  if (artifact.state !== 'finished') throw notFound('file of this artifact');
  const url = urls.artifactFile(artifact);
  if (url === '') throw notFound('address on the web of this artifact');
  return json({ url }, 302, { location: url });
}

async function remove(
  { store, artifactFiles }: ServiceContext,
  artifact: Artifact,
): Promise<RouteResponse> {
  store.artifacts.update({ ...artifact, state: 'deleted' });
  await artifactFiles.remove(artifact);
  return empty();
}
