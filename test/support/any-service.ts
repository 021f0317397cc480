/** A service that responds to any request, mostly plausibly, for tests with random requests. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AnyService {
  readonly url: string;
  close(): Promise<void>;
}

/** `failure` returns the status with which a request fails, or undefined if it succeeds. */
export async function anyService(failure: () => number | undefined): Promise<AnyService> {
  const server = createServer((request, response) => void answer(request, response, failure()));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { url, close };
}

async function answer(request: IncomingMessage, response: ServerResponse, status?: number) {
  request.resume();
  await once(request, 'end');
  if (status !== undefined) {
    const headers = { 'content-type': 'application/json', 'retry-after': '1' };
    response.writeHead(status, headers).end(JSON.stringify({ message: 'as asked', errors: ['x'] }));
    return;
  }
  const path = (request.url ?? '').split('?')[0] ?? '';
  const found = routes.find(([pattern]) => pattern.test(`${request.method ?? ''} ${path}`));
  const [, value] = found ?? [undefined, undefined];
  if (value === undefined) json(response, 404, { message: 'Not Found' });
  else if (value === null) response.writeHead(204).end();
  else if (typeof value === 'string') {
    response.writeHead(200, {
      'content-type': path.endsWith('.html') ? 'text/html' : 'text/plain',
    });
    response.end(value);
  } else json(response, 200, value);
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

const uuid = '018f5a3e-1111-4222-8333-944445555666';
const time = '2026-01-01T10:00:00Z';

const job = {
  ...{ id: uuid, type: 'script', name: 'Lint', step_key: 'lint', state: 'failed', exit_status: 1 },
  ...{
    started_at: time,
    finished_at: time,
    web_url: 'http://127.0.0.1/acme/web/builds/1',
    agent: null,
  },
};

const build = {
  ...{
    id: uuid,
    number: 1,
    state: 'failed',
    blocked: false,
    branch: 'main',
    commit: 'a'.repeat(40),
  },
  ...{
    message: 'one \u001b[31m',
    created_at: time,
    finished_at: time,
    jobs: [job],
    pipeline: { slug: 'web', id: uuid },
  },
  ...{ web_url: 'http://127.0.0.1/acme/web/builds/1', meta_data: {}, env: {}, creator: null },
};

const annotation = {
  id: uuid,
  context: 'note',
  style: 'info',
  body_html: '<p>hi</p>',
  created_at: time,
};
const rule = {
  uuid,
  type: 'pipeline.trigger_build.pipeline',
  effect: 'allow',
  action: 'x',
  source: null,
};
const organization = { id: uuid, slug: 'acme', name: 'Acme', web_url: 'http://127.0.0.1/acme' };

const routes: readonly (readonly [RegExp, object | string | null])[] = [
  [/^GET .*\/builds$/, [build]],
  [/^(?:GET|PUT) .*\/builds\/\d+(?:\/(?:cancel|rebuild))?$/, build],
  [/^POST .*\/builds$/, build],
  [/^GET .*\/log\.(?:txt|html)$/, '_bk;t=1\u0007a line\nanother\n'],
  [/^GET .*\/log$/, { url: 'x', content: 'a line\n', size: 7, header_times: [1] }],
  [/^GET .*\/env\.txt$/, 'A=b\n'],
  [/^GET .*\/env$/, { env: { A: 'b', 'a b': 'c', PASSWORD: 'secret' } }],
  [/^PUT .*\/jobs\/[^/]+\/(?:retry|unblock)$/, job],
  [/^DELETE /, null],
  [/^GET .*\/annotations$/, [annotation]],
  [/^POST .*\/annotations$/, annotation],
  [/^GET .*\/rules$/, [rule]],
  [/^(?:GET|POST) .*\/rules(?:\/[^/]+)?$/, rule],
  [/^GET \/v2\/organizations$/, [organization]],
  [/^GET \/v2\/organizations\/[^/]+$/, organization],
  [/^GET .*\/emojis$/, [{ name: 'tada', url: 'http://127.0.0.1/tada.png', aliases: ['x'] }]],
  [/^GET \/v2\/access-token$/, { uuid, scopes: ['read_builds'] }],
  [/^GET \/v3\/metrics$/, metrics()],
  [/^POST .*\/(?:graphql|v1)$/, { data: { viewer: { id: 'x' } } }],
];

function metrics(): object {
  const agents = { idle: 1, busy: 1, total: 2 };
  const jobs = { scheduled: 1, running: 1, waiting: 0, total: 2 };
  const queues = { default: agents };
  return {
    agents: { ...agents, queues },
    jobs: { ...jobs, queues: { default: jobs } },
    organization: { slug: 'acme' },
  };
}
