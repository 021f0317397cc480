import { buildPath } from './builds.ts';
import type { RestClient } from './rest-client.ts';
import { buildName, jobName, type BuildRef, type JobRef } from './refs.ts';
import type { Artifact } from './resources/artifact.ts';

export const artifacts = (rest: RestClient) => ({
  list: (ref: BuildRef): AsyncIterable<Artifact> =>
    rest.pages<Artifact>({
      ...{ method: 'GET', path: [...buildPath(ref), 'artifacts'], query: { per_page: 100 } },
      action: `list the artifacts of build ${buildName(ref)}`,
      ...{ scope: 'read_artifacts', subject: ref },
    }),
  /** Yields the bytes as they arrive; reading them may throw `CictlError`. */
  download: (ref: JobRef, id: string) =>
    rest.stream({
      method: 'GET',
      path: [...buildPath(ref), 'jobs', ref.job, 'artifacts', id, 'download'],
      accept: '*/*',
      action: `download the artifact ${id} of job ${jobName(ref)}`,
      ...{ scope: 'read_artifacts', subject: ref },
    }),
});
