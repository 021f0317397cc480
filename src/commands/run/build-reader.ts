/** The build of a run as it goes on: the service says what is new, and waits where nothing is. */
import type { Client } from '../../api/client.ts';
import type { BuildRef } from '../../api/refs.ts';
import type { Build } from '../../api/resources/build.ts';
import type { Job } from '../../api/resources/job.ts';
import { CictlError } from '../../errors.ts';
import { callAdmin, type BuildChanges } from '../../service/admin.ts';
import type { Hosted } from '../../service/daemon/host.ts';

export interface BuildReader {
  /** The build with all its jobs; those in which nothing has changed are the same objects as before. */
  read(): Promise<Build>;
  /** Whether the job had written nothing when it was read. */
  isSilent(job: Job): boolean;
}

/** A build that this run has made: its reference, and its UUID. */
export interface MadeBuild extends BuildRef {
  readonly id: string;
  /** As it was made: nothing of its beginning is missed, however short its jobs are. */
  readonly build: Build;
}

export function createBuildReader(
  state: Hosted['state'],
  client: Client,
  made: MadeBuild,
): BuildReader {
  const silent = new WeakSet<Job>();
  let last: { readonly build: Build; readonly version: number } | undefined;
  let isOlder = false;
  let first: Build | undefined = made.build;
  const readChanges = async (): Promise<Build> => {
    const after = last === undefined ? '' : `?after=${last.version}`;
    const path = `/builds/${made.id}/changes${after}`;
    const {
      version,
      build,
      jobs,
      withoutLog = [],
    } = (await callAdmin(state, 'GET', path)) as BuildChanges;
    const now = jobs === undefined ? build : { ...build, jobs: patched(last?.build, jobs) };
    last = { build: now, version };
    const ids = new Set(withoutLog);
    for (const job of (jobs ?? []) as Job[]) if (ids.has(job.id ?? '')) silent.add(job);
    return now;
  };
  return {
    isSilent: (job) => silent.has(job),
    async read() {
      const begun = first;
      first = undefined;
      if (begun !== undefined) return begun;
      if (isOlder) return client.builds.get(made, { exact: true, includeRetriedJobs: true });
      try {
        return await readChanges();
      } catch (error) {
        if (!(error instanceof CictlError) || error.kind !== 'not_found') throw error;
        // A service of an older version, or the build is gone: then this says so.
        const build = await client.builds.get(made, { exact: true, includeRetriedJobs: true });
        isOlder = true;
        return build;
      }
    },
  };
}

function patched(before: Build | undefined, jobs: readonly Job[]): Job[] {
  const changed = new Map(jobs.map((job) => [job.id, job]));
  return (before?.jobs ?? []).map((job) => changed.get(job.id) ?? job);
}
