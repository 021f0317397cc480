/** `buildkite-agent artifact search` and `download`: the artifacts of a build that fit a pattern. */
import { globMatcher } from '../../../domain/artifact-glob.ts';
import type { Artifact, Job, Tree } from '../../../domain/records.ts';
import { rulesPermit } from '../../../domain/rules.ts';
import type { ServiceContext } from '../../../service-context.ts';
import { ApiError, notFound } from '../../api-error.ts';
import { iso } from '../../present/scalars.ts';
import { json } from '../../response.ts';
import type { Route } from '../../route.ts';
import { jobRoute } from './job-route.ts';

/** `:source`, since it may be another build than the caller's. */
export const artifactSearchRoute: Route = jobRoute(
  'GET',
  '/v3/builds/:source/artifacts/search',
  ({ params, query, origin }, service, own) => {
    const tree = findSource(service, own.buildId, params.source);
    // Agents ask ten times, five seconds apart, where this is an error.
    if (tree === undefined) return json([]);
    const isWanted = matcherOf(tree, query);
    const found = service.store.artifacts.ofBuild(tree.build.id).filter(isWanted);
    const shown = isTrue(query.get('include_duplicates')) ? found : newest(found);
    return json(
      shown.map((artifact) => present(service.urls.artifactFile(artifact, origin), artifact)),
    );
  },
);

/** Undefined where there is none. Throws `ApiError` 403 where no rule lets one pipeline read the other's. */
function findSource(service: ServiceContext, ownId: string, id: string): Tree | undefined {
  const tree = service.store.builds.tree(id);
  const own = service.store.builds.byId(ownId);
  if (tree === undefined || own?.organizationId !== tree.build.organizationId) return undefined;
  checkRules(service, own.pipelineId, tree.build.pipelineId);
  return tree;
}

const ruleType = 'pipeline.artifacts_read.pipeline';

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

/** By the id of the job or of its step, by key or by label. */
function isInScope({ plan }: Tree, job: Job, scope: string): boolean {
  const step = plan.steps[job.step];
  return scope === '' || [job.id, job.stepId, step?.key, step?.label].includes(scope);
}

/** The last one of each path. */
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
