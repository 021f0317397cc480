/** The built-in service's responses outside of the API, so that the scene looks like one. */
import { idOf } from './members.ts';
import type { Route } from './service.ts';

const one = (slug: string, folder: string, restricted = false) => ({
  ...{ slug, name: slug, folder, file: `${folder}/.buildkite/pipeline.yml`, restricted },
  web_url: `http://127.0.0.1:54321/local/${slug}`,
});

const pipelines = [
  one('web', '/home/ada/work/acme/web'),
  one('決済', '/home/ada/work/acme/a-folder-with-a-long-name/services/決済-リファクタリング', true),
];

const status = {
  ...{ url: 'http://127.0.0.1:54321', pid: 4321, slots: 2, running: 1, scheduled: 3 },
  ...{ fault: null, keep: '90d', read_ago: null },
};

const file = (n: number, path: string, file_size: number) => ({
  ...{ id: idOf('4', n), job_id: idOf('c', 141_001), path, file_size, state: 'finished' },
  ...{ filename: path.split('/').at(-1), mime_type: 'text/plain', sha1sum: null, sha256sum: null },
});

const artifacts = [
  file(1, 'dist/web.tar.gz', 48_213_004),
  file(2, 'coverage/src/checkout/a-long-path-of-a-report-that-is-read-by-its-end/round.html', 912),
];

export const localRoutes: readonly Route[] = [
  ['GET /local/v1/status', () => status],
  ['GET /local/v1/organizations/local/pipelines', () => pipelines],
  ['(?:GET|PATCH) /local/v1/organizations/local/pipelines/web', () => pipelines[0]],
  ['DELETE /local/v1/organizations/local/pipelines/web', () => null],
  ['POST /local/v1/organizations', () => ({ slug: 'lab', name: 'The laboratory' })],
  ['POST /local/v1/prune', () => ({ removed: 12, more: false })],
  ['GET /v2/organizations/local/pipelines/web/builds/141/artifacts', () => artifacts],
];

/** The file by which the tool finds a running service. */
export const stateOf = (url: string): string =>
  JSON.stringify({
    url,
    pid: process.pid,
    adminToken: 'admin',
    token: 'token',
    agentToken: 'agent',
  });
