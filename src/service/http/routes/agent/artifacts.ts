import type { Artifact, Job, Tree } from '../../../domain/records.ts';
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

/** Upload in a single request. */
const instructionsFor = (url: string): object => ({
  actions: [{ method: 'PUT', url, part_number: 1 }],
});

const isKept = async ({ artifactFiles }: ServiceContext, artifact: Artifact): Promise<boolean> =>
  artifact.elsewhere !== undefined || (await artifactFiles.size(artifact)) !== undefined;

const ruleType = 'pipeline.artifacts_read.pipeline';

/** The last artifact of each path. */
const newest = (artifacts: readonly Artifact[]): Artifact[] => [
  ...new Map(artifacts.map((artifact) => [artifact.path, artifact])).values(),
];

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

const isTrue = (text: string | null): boolean => text === 'true' || text === '1';

/** `:source` instead of `:build`, since it may be another build. */
const artifactSearchRoute: Route = jobRoute(
  'GET',
  '/v3/builds/:source/artifacts/search',
  ({ params, query, origin }, service, own) => {
    const tree = findSource(service, own.buildId, params.source);
    // On an error, agents retry ten times, five seconds apart.
    if (tree === undefined) return json([]);
    const isWanted = matcherOf(tree, query);
    const found = service.store.artifacts.ofBuild(tree.build.id).filter(isWanted);
    const shown = isTrue(query.get('include_duplicates')) ? found : newest(found);
    return json(
      shown.map((artifact) => present(service.urls.artifactFile(artifact, origin), artifact)),
    );
  },
);

/** Only HTTP(S) URLs, since pages link to them. */
const onTheWeb = (url: string): string => (/^https?:\/\/[!-~]+$/.test(url) ? url : '');

/** An invalid type would be an invalid header. */
const typeOf = (text: string): string =>
  /^[\w.+-]+\/[\w.+-]+(;[ -~]*)?$/.test(text) ? text : 'application/octet-stream';

export const agentArtifactRoutes: readonly Route[] = [
  jobRoute('POST', '/v3/jobs/:job/artifacts', announce),
  jobRoute('PUT', '/v3/jobs/:job/artifacts', finish),
  artifactSearchRoute,
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
      const identity = {
        id: newId(),
        buildId,
        jobId,
        state: 'new',
        createdAt: clock.now(),
      } as const;
      const artifact = { ...announced, ...identity, secret: newSecret('artifact') };
      store.artifacts.add(artifact, batch);
      return artifact;
    });
  });
  const instructions = made
    .filter(({ elsewhere }) => elsewhere === undefined)
    .map((artifact) => [artifact.id, instructionsFor(urls.artifactFile(artifact, call.origin))]);
  return json({
    id: batch,
    artifact_ids: made.map(({ id }) => id),
    per_artifact_instructions: Object.fromEntries(instructions) as object,
  });
}

/** An artifact without a file becomes an error, even if the agent says it is finished. */
async function finish(
  call: Call,
  service: ServiceContext,
  { jobId }: OwnJob,
): Promise<RouteResponse> {
  for (const { id, state } of readStates(objectOf(await call.body()))) {
    const artifact = service.store.artifacts.byId(id);
    if (artifact?.jobId !== jobId) throw refused(`This job has no artifact ${id}`);
    // Repeated, or deleted meanwhile.
    if (artifact.state !== 'new') continue;
    const isThere = state === 'finished' && (await isKept(service, artifact));
    service.store.artifacts.update({ ...artifact, state: isThere ? 'finished' : 'error' });
  }
  return json({});
}

function readStates({ artifacts }: Body): { id: string; state: 'finished' | 'error' }[] {
  if (!Array.isArray(artifacts)) throw badRequest('artifacts must be an array');
  return artifacts.map((entry: unknown) => {
    const { id, state } = isObject(entry) ? entry : {};
    if (typeof id !== 'string' || (state !== 'finished' && state !== 'error'))
      throw badRequest('each artifact must have an id, and a state: finished or error');
    return { id, state };
  });
}

/** Throws `ApiError` 403 if no rule lets one pipeline read the other's artifacts. */
function findSource(service: ServiceContext, ownId: string, id: string): Tree | undefined {
  const tree = service.store.builds.tree(id);
  const own = service.store.builds.byId(ownId);
  if (tree === undefined || own?.organizationId !== tree.build.organizationId) return undefined;
  checkRules(service, own.pipelineId, tree.build.pipelineId);
  return tree;
}

function checkRules({ store }: ServiceContext, readerId: string, ownerId: string): void {
  const reader = store.pipelines.byId(readerId);
  const owner = store.pipelines.byId(ownerId);
  if (reader === undefined || owner === undefined) throw notFound('build');
  if (rulesPermit(store.rules.list(owner.organizationId), ruleType, reader, owner)) return;
  throw new ApiError(
    403,
    `The pipeline ${reader.slug} may not read artifacts of ${owner.slug}; ` +
      `cictl rules create --type ${ruleType} --source ${reader.slug} --target ${owner.slug}`,
  );
}

function matcherOf(tree: Tree, query: URLSearchParams): (artifact: Artifact) => boolean {
  const fits = globMatcher(query.get('query') ?? '*');
  const state = query.get('state') ?? 'finished';
  const jobs = new Map(tree.jobs.map((job) => [job.id, job]));
  const scope = query.get('scope') ?? '';
  const withRetried = isTrue(query.get('include_retried_jobs'));
  return (artifact) => {
    const job = jobs.get(artifact.jobId);
    if (job === undefined || (job.retriedInJobId !== null && !withRetried)) return false;
    return artifact.state === state && isInScope(tree, job, scope) && fits(artifact.path);
  };
}

/** Matches job ID, step ID, key or label. */
function isInScope({ plan }: Tree, job: Job, scope: string): boolean {
  const step = plan.steps[job.step];
  return scope === '' || [job.id, job.stepId, step?.key, step?.label].includes(scope);
}

interface NewArtifacts {
  /** Shared by repeated requests; empty if there is none. */
  readonly batch: string;
  readonly artifacts: readonly Announced[];
}

type Announced = Omit<Artifact, 'id' | 'buildId' | 'jobId' | 'state' | 'secret' | 'createdAt'>;

/** Throws `ApiError` if one of them is invalid. */
function readNewArtifacts(value: unknown): NewArtifacts {
  const body = objectOf(value);
  const members = bodyReader(body);
  const batch = members.text('id') ?? '';
  const destination = members.text('upload_destination') ?? '';
  members.done();
  const { artifacts } = body;
  if (!Array.isArray(artifacts)) throw badRequest('artifacts must be an array');
  return { batch, artifacts: artifacts.map((one) => readOne(one, destination)) };
}

function readOne(value: unknown, destination: string): Announced {
  const members = bodyReader(objectOf(value));
  const path = members.required('path');
  const artifact = {
    path: path.replaceAll('\\', '/').replace(/^(\.?\/)+/, ''),
    absolutePath: members.text('absolute_path') ?? '',
    globPath: members.text('glob_path') ?? '',
    fileSize: members.integer('file_size') ?? 0,
    sha1: members.text('sha1sum') ?? '',
    sha256: members.text('sha256sum') ?? '',
    contentType: typeOf(members.text('content_type') ?? ''),
    ...(destination !== '' && {
      elsewhere: { destination, url: onTheWeb(members.text('url') ?? '') },
    }),
  };
  members.done();
  if (!namesFile(artifact.path))
    throw refused(`The path ${JSON.stringify(path)} does not name a file in the job's directory`);
  if (artifact.fileSize < 0) throw refused(`The artifact ${path} has no size`);
  return artifact;
}

/** An invalid path would prevent the download of all other artifacts. */
function namesFile(path: string): boolean {
  const parts = path.split('/');
  return !['', '.'].includes(parts.at(-1) ?? '') && !parts.includes('..');
}
