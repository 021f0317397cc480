/** `buildkite-agent artifact`: a job announces its artifacts, uploads them, and searches for others. */
import type { Artifact } from '../../../domain/records.ts';
import type { ServiceContext } from '../../../service-context.ts';
import { newSecret } from '../../../secrets.ts';
import { badRequest, refused } from '../../api-error.ts';
import { isObject, objectOf, type Body } from '../../body-reader.ts';
import { readNewArtifacts } from '../../bodies/new-artifacts.ts';
import { json, type RouteResponse } from '../../response.ts';
import type { Call, Route } from '../../route.ts';
import { artifactSearchRoute } from './artifact-search.ts';
import { jobRoute, type OwnJob } from './job-route.ts';

export const agentArtifactRoutes: readonly Route[] = [
  jobRoute('POST', '/v3/jobs/:job/artifacts', announce),
  jobRoute('PUT', '/v3/jobs/:job/artifacts', finish),
  artifactSearchRoute,
];

/** A repeat under the same id gets the same artifacts. */
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

/** All bytes in one request. */
const instructionsFor = (url: string): object => ({
  actions: [{ method: 'PUT', url, part_number: 1 }],
});

/** What an agent calls finished without having sent it has failed. */
async function finish(
  call: Call,
  service: ServiceContext,
  { jobId }: OwnJob,
): Promise<RouteResponse> {
  for (const { id, state } of readStates(objectOf(await call.body()))) {
    const artifact = service.store.artifacts.byId(id);
    if (artifact?.jobId !== jobId) throw refused(`This job has no artifact ${id}`);
    // A repeat, or one that was deleted meanwhile.
    if (artifact.state !== 'new') continue;
    const isThere = state === 'finished' && (await isKept(service, artifact));
    service.store.artifacts.update({ ...artifact, state: isThere ? 'finished' : 'error' });
  }
  return json({});
}

const isKept = async ({ artifactFiles }: ServiceContext, artifact: Artifact): Promise<boolean> =>
  artifact.elsewhere !== undefined || (await artifactFiles.size(artifact)) !== undefined;

function readStates({ artifacts }: Body): { id: string; state: 'finished' | 'error' }[] {
  if (!Array.isArray(artifacts)) throw badRequest('artifacts must be an array');
  return artifacts.map((entry: unknown) => {
    const { id, state } = isObject(entry) ? entry : {};
    if (typeof id !== 'string' || (state !== 'finished' && state !== 'error'))
      throw badRequest('each artifact must have an id, and a state: finished or error');
    return { id, state };
  });
}
