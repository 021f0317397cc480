/** A service with typical pipelines and builds of a team, created within a second or two. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Build } from '../../../src/api/resources/build.ts';
import { createService, type TestService } from '../../support/service.ts';
import { actJobs, slots, type ActedJobs, type Logs } from './acted-jobs.ts';
import { apiOf, type SceneApi } from './api.ts';
import { fillWeb } from './fill.ts';

export interface Scene extends ActedJobs {
  readonly service: TestService;
  readonly api: SceneApi;
  /** Creates a pipeline with this file in organization `local`. */
  pipeline(slug: string, file: string): Promise<void>;
  /** Creates a build with an API request body; returns its number. */
  build(slug: string, body?: object): Promise<number>;
  /** Reads a build of `local`: `web/7`. */
  get(build: string): Promise<Build>;
  /** Simulates jobs until the build satisfies the condition. */
  until(build: string, isSo: (build: Build) => boolean): Promise<Build>;
  /** The ID of the newest execution of a step's job, optionally in a given state. */
  jobId(build: string, key: string, state?: string): Promise<string>;
}

/** A scene without pipelines. The time is noon on 20 November 2026. */
export async function createEmptyScene({ logs }: { readonly logs?: Logs } = {}): Promise<Scene> {
  const acted = actJobs('2026-11-20T12:00:00Z', () => countsOf(service), logs);
  const { runner, clock } = acted;
  const service = await createService({ runner, clock, slots, tags: ['queue=default'] });
  const api = apiOf(service);
  const get = (build: string) => api.send<Build>('GET', pathOf(build));
  return {
    ...acted,
    service,
    api,
    async pipeline(slug, text) {
      const file = join(service.home.root, `${slug}.yml`);
      await writeFile(file, text);
      const body = { folder: service.home.cwd, file, slug };
      await api.admin('POST', '/organizations/local/pipelines', body);
    },
    async build(slug, body = {}) {
      const usual = { commit: 'HEAD', branch: 'main', message: 'A change' };
      const path = `/v2/organizations/local/pipelines/${slug}/builds`;
      return (await api.send<{ number: number }>('POST', path, { ...usual, ...body })).number;
    },
    get,
    async until(name, isSo) {
      for (;;) {
        await acted.act();
        const build = await get(name);
        if (isSo(build)) return build;
      }
    },
    async jobId(build, key, state) {
      const { jobs } = await get(build);
      const job = (jobs ?? []).findLast(
        (one) => one.step_key === key && (state === undefined || one.state === state),
      );
      if (typeof job?.id !== 'string') throw new Error(`${build} has no step ${key}`);
      return job.id;
    },
  };
}

/** The API path of `web/7`. */
function pathOf(build: string): string {
  const [slug = '', number = ''] = build.split('/');
  return `/v2/organizations/local/pipelines/${slug}/builds/${number}`;
}

interface Metrics {
  readonly jobs: { readonly running: number; readonly queues: Record<string, QueueOfJobs> };
}
interface QueueOfJobs {
  readonly scheduled: number;
}

async function countsOf({ url, agentToken }: TestService) {
  const headers = { authorization: `Token ${agentToken}` };
  // An idle connection may have been closed, because the service runs in this process.
  const response = await fetch(`${url}/v3/metrics`, { headers }).catch(() => undefined);
  if (response === undefined) return { running: -1, scheduled: 0 };
  const { jobs } = (await response.json()) as Metrics;
  return { running: jobs.running, scheduled: jobs.queues['default']?.scheduled ?? 0 };
}

/** A scene with pipelines that have run for a while. */
export async function createScene(): Promise<Scene> {
  const scene = await createEmptyScene();
  await fillWeb(scene);
  return scene;
}
