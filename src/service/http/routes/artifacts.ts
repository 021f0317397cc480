import { rangeResponse, byteRange } from '../byte-range.ts';
import { timingSafeEqual } from 'node:crypto';
import { posix } from 'node:path';
import type { Artifact } from '../../domain/records.ts';
import type { ServiceContext } from '../../service-context.ts';
import type { ArtifactOwner } from '../../store/tables/artifacts.ts';
import { notFound, outOfOrder, refused } from '../api-error.ts';
import { findBuild, findJob, type LocatedBuild } from '../lookups.ts';
import { page, sliceOf } from '../paging.ts';
import { empty, json, type RouteResponse, bytes } from '../response.ts';
import { open, route, type Call, type Route } from '../route.ts';
import { jobPaths } from './jobs.ts';
import { hashOf } from '../../secrets.ts';
import { WrongSizeError } from '../../store/artifact-files.ts';

const read = { scope: 'read_artifacts', jobs: true } as const;

export const artifactRoutes: readonly Route[] = [
  route(
    'GET',
    '/v2/organizations/:org/pipelines/:pipeline/builds/:number/artifacts',
    read,
    (call, service) => {
      const location = findBuild(service, call);
      return list(service, call, location, { buildId: location.build.id });
    },
  ),
  ...jobPaths().flatMap((path) => [
    route('GET', `${path}/artifacts`, read, (call, service) => {
      const location = findJob(service, call);
      return list(service, call, location, { jobId: location.job.id });
    }),
    route('GET', `${path}/artifacts/:artifact`, read, (call, service) => {
      const { location, artifact } = findArtifact(service, call);
      return json(presentArtifact(service, location, artifact));
    }),
    route('GET', `${path}/artifacts/:artifact/download`, read, (call, service) =>
      redirect(service, findArtifact(service, call).artifact),
    ),
    route('DELETE', `${path}/artifacts/:artifact`, 'write_artifacts', async (call, service) => {
      const { artifact } = findArtifact(service, call);
      service.store.artifacts.update({ ...artifact, state: 'deleted' });
      await service.artifactFiles.remove(artifact);
      return empty();
    }),
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

function findArtifact(service: ServiceContext, call: Call<'org' | 'job' | 'artifact'>) {
  const location = findJob(service, call);
  const artifact = service.store.artifacts.byId(call.params.artifact);
  if (artifact?.jobId !== location.job.id) throw notFound('artifact');
  return { location, artifact };
}

/** Redirects to a URL that needs no token, so that clients send no token to other servers. */
function redirect({ urls }: ServiceContext, artifact: Artifact): RouteResponse {
  if (artifact.state !== 'finished') throw notFound('file for this artifact');
  const url = urls.artifactFile(artifact);
  if (url === '') throw notFound('URL for this artifact');
  return json({ url }, 302, { location: url });
}

// The URL of a file contains a secret, so the request needs no token.
const file = '/v3/artifacts/:artifact/:secret';
type FileCall = Call<'artifact' | 'secret'>;

export const artifactFileRoutes: readonly Route[] = [
  route('GET', file, open, download),
  route('PUT', file, open, upload),
];

function findBySecret({ store }: ServiceContext, { params }: FileCall): Artifact {
  const artifact = store.artifacts.byId(params.artifact);
  const expected = Buffer.from(hashOf(artifact?.secret ?? ''));
  const isRight = timingSafeEqual(Buffer.from(hashOf(params.secret)), expected);
  if (artifact === undefined || artifact.elsewhere !== undefined || !isRight)
    throw notFound('artifact');
  return artifact;
}

async function download(call: FileCall, service: ServiceContext): Promise<RouteResponse> {
  const artifact = findBySecret(service, call);
  const size = await service.artifactFiles.size(artifact);
  if (artifact.state !== 'finished' || size === undefined) throw notFound('file for this artifact');
  const range = byteRange(call.header('range'), size);
  const { status, headers } = rangeResponse(size, range);
  return bytes(artifact.contentType, service.artifactFiles.read(artifact, range), {
    status,
    headers: {
      ...headers,
      'content-disposition': dispositionOf(artifact),
      // Scripts in the file must not run if a browser opens it.
      'content-security-policy': "sandbox; default-src 'none'",
    },
  });
}

/** Old clients use the ASCII form of the name. */
function dispositionOf({ path: name }: Artifact): string {
  const file = posix.basename(name);
  const plain = file.replace(/[^ -~]|["\\]/g, '_');
  const encoded = encodeURIComponent(file).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

async function upload(call: FileCall, service: ServiceContext): Promise<RouteResponse> {
  const artifact = findBySecret(service, call);
  if (artifact.state !== 'new') throw refused('This artifact was already uploaded');
  try {
    await service.artifactFiles.write(artifact, call.content());
  } catch (error) {
    await skipRest(call);
    if (error instanceof WrongSizeError) throw refused(`The artifact has ${error.message}`);
    throw error instanceof Error && 'syscall' in error ? outOfOrder(error.message) : error;
  }
  return json({}, 200, { etag: `"${artifact.id}"` });
}

/** Reads the rest of the body. A client that is still sending would not read the response. */
async function skipRest(call: FileCall): Promise<void> {
  try {
    const rest = call.content()[Symbol.asyncIterator]();
    while ((await rest.next()).done !== true);
  } catch {
    // The client has disconnected.
  }
}

function presentArtifact(
  { urls }: ServiceContext,
  { organization, pipeline, build }: LocatedBuild,
  artifact: Artifact,
): object {
  const { id, jobId, path } = artifact;
  const url = urls.artifact(organization.slug, pipeline.slug, build.number, jobId, id);
  return {
    ...{ id, job_id: jobId, url, download_url: `${url}/download`, state: artifact.state, path },
    dirname: posix.dirname(path),
    filename: posix.basename(path),
    mime_type: artifact.contentType,
    file_size: artifact.fileSize,
    glob_path: artifact.globPath,
    original_path: artifact.absolutePath,
    sha1sum: artifact.sha1,
    sha256sum: artifact.sha256,
  };
}
