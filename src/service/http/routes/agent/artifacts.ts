import type { Artifact, Tree } from '../../../domain/records.ts';
import type { ServiceContext } from '../../../service-context.ts';
import { newSecret } from '../../../secrets.ts';
import { badRequest, refused, ApiError, notFound } from '../../api-error.ts';
import { isObject, objectOf, type Body, bodyReader } from '../../body-reader.ts';
import { json, type RouteResponse } from '../../response.ts';
import type { Call, Route } from '../../route.ts';
import { jobRoute, type OwnJob } from './job-route.ts';
import { globMatcher } from '../../../domain/artifact-glob.ts';
import { rulesPermit } from '../../../domain/permissions.ts';
import { iso } from '../../present/scalars.ts';

const present = (url: string, artifact: Artifact): object => ({
  id: artifact.id,
  job_id: artifact.jobId,
  path: artifact.path,
  absolute_path: artifact.absolutePath,
  glob_path: artifact.globPath,
  file_size: artifact.fileSize,
  sha1sum: artifact.sha1,
  sha256sum: artifact.sha256,
  content_type: artifact.contentType,
  created_at: iso(artifact.createdAt),
  state: artifact.state,
  url: artifact.state === 'finished' ? url : '',
  ...(artifact.elsewhere && { upload_destination: artifact.elsewhere.destination }),
});

export const agentArtifactRoutes: readonly Route[] = [
  jobRoute('POST', '/v3/jobs/:job/artifacts', announce),
  jobRoute('PUT', '/v3/jobs/:job/artifacts', finish),
  // Named `:source`, because a parameter named `:build` must be the job's own build.
  jobRoute('GET', '/v3/builds/:source/artifacts/search', search),
];

/** Idempotent: a repeated batch ID returns the same artifacts. */
async function announce(
  call: Call,
  { store, urls, newId, clock }: ServiceContext,
  { buildId, jobId }: OwnJob,
): Promise<RouteResponse> {
  const { batch, artifacts } = readNewArtifacts(await call.body());
  const made = store.transaction(() => {
    const before = store.artifacts.ofBatch(jobId, batch);
    if (batch !== '' && before.length > 0) return before;
    return artifacts.map((announced) => {
      const artifact: Artifact = {
        ...{ ...announced, id: newId(), buildId, jobId, state: 'new' },
        ...{ createdAt: clock.now(), secret: newSecret('artifact') },
      };
      store.artifacts.add(artifact, batch);
      return artifact;
    });
  });
  const instructions = made
    .filter(({ elsewhere }) => elsewhere === undefined)
    .map((artifact): [string, object] => {
      const url = urls.artifactFile(artifact, call.origin);
      // The file is uploaded in a single request.
      return [artifact.id, { actions: [{ method: 'PUT', url, part_number: 1 }] }];
    });
  return json({
    id: batch,
    artifact_ids: made.map(({ id }) => id),
    per_artifact_instructions: Object.fromEntries(instructions),
  });
}

/** Marks an artifact as failed if its file is missing, even if the agent reports it as finished. */
async function finish(
  call: Call,
  { store, artifactFiles }: ServiceContext,
  { jobId }: OwnJob,
): Promise<RouteResponse> {
  for (const { id, state } of readStates(objectOf(await call.body()))) {
    const artifact = store.artifacts.byId(id);
    if (artifact?.jobId !== jobId) throw refused(`This job has no artifact ${id}`);
    // The request was repeated, or the artifact has been deleted in the meantime.
    if (artifact.state !== 'new') continue;
    const isThere =
      state === 'finished' &&
      (artifact.elsewhere !== undefined || (await artifactFiles.size(artifact)) !== undefined);
    store.artifacts.update({ ...artifact, state: isThere ? 'finished' : 'error' });
  }
  return json({});
}

function readStates({ artifacts }: Body): { id: string; state: 'finished' | 'error' }[] {
  if (!Array.isArray(artifacts)) throw badRequest('artifacts must be an array');
  return artifacts.map((entry: unknown) => {
    const { id, state } = isObject(entry) ? entry : {};
    if (typeof id !== 'string' || (state !== 'finished' && state !== 'error'))
      throw badRequest('each artifact must have an id and a state (finished or error)');
    return { id, state };
  });
}

function search(
  { params, query, origin }: Call<'source'>,
  service: ServiceContext,
  own: OwnJob,
): RouteResponse {
  const tree = findSource(service, own.buildId, params.source);
  // A missing build is not an error, because agents would retry ten times, five seconds apart.
  if (tree === undefined) return json([]);
  const found = service.store.artifacts.ofBuild(tree.build.id).filter(matcherOf(tree, query));
  const lastOfPath = new Map(found.map((artifact) => [artifact.path, artifact]));
  const shown = isTrue(query.get('include_duplicates')) ? found : [...lastOfPath.values()];
  return json(
    shown.map((artifact) => present(service.urls.artifactFile(artifact, origin), artifact)),
  );
}

const isTrue = (text: string | null): boolean => text === 'true' || text === '1';

const ruleType = 'pipeline.artifacts_read.pipeline';

/** Throws `ApiError` 403 unless a rule lets the job's pipeline read the artifacts. */
function findSource({ store }: ServiceContext, ownId: string, id: string): Tree | undefined {
  const tree = store.builds.tree(id);
  const own = store.builds.byId(ownId);
  if (tree === undefined || own?.organizationId !== tree.build.organizationId) return undefined;
  const reader = store.pipelines.byId(own.pipelineId);
  const owner = store.pipelines.byId(tree.build.pipelineId);
  if (reader === undefined || owner === undefined) throw notFound('build');
  if (rulesPermit(store.rules.list(owner.organizationId), ruleType, reader, owner)) return tree;
  throw new ApiError(
    403,
    `Pipeline ${reader.slug} is not allowed to read artifacts of ${owner.slug}; to allow it: ` +
      `cictl rules create --type ${ruleType} --source ${reader.slug} --target ${owner.slug}`,
  );
}

function matcherOf({ jobs, plan }: Tree, query: URLSearchParams): (artifact: Artifact) => boolean {
  const fits = globMatcher(query.get('query') ?? '*');
  const state = query.get('state') ?? 'finished';
  const scope = query.get('scope') ?? '';
  const withRetried = isTrue(query.get('include_retried_jobs'));
  const byId = new Map(jobs.map((job) => [job.id, job]));
  return (artifact) => {
    const job = byId.get(artifact.jobId);
    if (job === undefined || (job.retriedInJobId !== null && !withRetried)) return false;
    const step = plan.steps[job.step];
    const isInScope = scope === '' || [job.id, job.stepId, step?.key, step?.label].includes(scope);
    return artifact.state === state && isInScope && fits(artifact.path);
  };
}

type Announced = Omit<Artifact, 'id' | 'buildId' | 'jobId' | 'state' | 'secret' | 'createdAt'>;

/** Repeated requests contain the same `batch`. Throws `ApiError` if an artifact is invalid. */
function readNewArtifacts(value: unknown) {
  const members = bodyReader(value);
  const batch = members.text('id') ?? '';
  const destination = members.text('upload_destination') ?? '';
  members.done();
  const { artifacts } = objectOf(value);
  if (!Array.isArray(artifacts)) throw badRequest('artifacts must be an array');
  return { batch, artifacts: artifacts.map((one) => readOne(one, destination)) };
}

function readOne(value: unknown, destination: string): Announced {
  const members = bodyReader(value);
  const path = members.required('path');
  const type = members.text('content_type') ?? '';
  const url = members.text('url') ?? '';
  const artifact = {
    path: path.replaceAll('\\', '/').replace(/^(\.?\/)+/, ''),
    absolutePath: members.text('absolute_path') ?? '',
    globPath: members.text('glob_path') ?? '',
    fileSize: members.integer('file_size') ?? 0,
    sha1: members.text('sha1sum') ?? '',
    sha256: members.text('sha256sum') ?? '',
    // An invalid type would result in an invalid header.
    contentType: /^[\w.+-]+\/[\w.+-]+(;[ -~]*)?$/.test(type) ? type : 'application/octet-stream',
    ...(destination !== '' && {
      // Pages link to this URL, so URLs with a scheme other than HTTP(S) are dropped.
      elsewhere: { destination, url: /^https?:\/\/[!-~]+$/.test(url) ? url : '' },
    }),
  };
  members.done();
  const parts = artifact.path.split('/');
  // A single invalid path would prevent the download of all artifacts.
  if (['', '.'].includes(parts.at(-1) ?? '') || parts.includes('..'))
    throw refused(`The path ${JSON.stringify(path)} is not a file in the job's directory`);
  if (artifact.fileSize < 0) throw refused(`The artifact ${path} has no size`);
  return artifact;
}
