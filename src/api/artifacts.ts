import type { Response } from '../http/transport.ts';
import { buildPath } from './builds.ts';
import type { RestClient } from './rest-client.ts';
import { buildName, jobName, type BuildRef, type JobRef } from './refs.ts';
import type { Artifact } from './resources/artifact.ts';

export interface Artifacts {
  /** Of all jobs of a build, in the order in which they were left. */
  list(ref: BuildRef): AsyncIterable<Artifact>;
  /** Its bytes as they arrive. A failure in the middle throws `CictlError` while reading. */
  download(ref: JobRef, id: string): Promise<Response>;
}

export const artifacts = (rest: RestClient): Artifacts => ({
  list: (ref) =>
    rest.pages<Artifact>({
      method: 'GET',
      path: [...buildPath(ref), 'artifacts'],
      query: { per_page: 100 },
      subject: ref,
      action: `list the artifacts of build ${buildName(ref)}`,
      scope: 'read_artifacts',
    }),
  download: (ref, id) =>
    rest.stream({
      method: 'GET',
      path: [...buildPath(ref), 'jobs', ref.job, 'artifacts', id, 'download'],
      accept: '*/*',
      subject: ref,
      action: `download the artifact ${id} of job ${jobName(ref)}`,
      scope: 'read_artifacts',
    }),
});
