/** An agent controlled by a test, which sends each of its requests, valid or not. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createBuild } from '../../bench/agents/create-build.js';
import { useService, type TestService } from '../support/service.ts';

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly json: Wire;
}

/** The members of responses that tests read. */
export interface Wire {
  readonly id: string;
  readonly access_token: string;
  readonly token: string;
  readonly state: string;
  readonly action?: string;
  readonly log_max_size_bytes: number;
  readonly job?: { readonly id: string };
  readonly env: Readonly<Record<string, string>>;
}

export interface Sending {
  readonly body?: unknown;
  readonly bytes?: Uint8Array;
  readonly token: string;
}

export type RawAgent = Awaited<ReturnType<typeof register>>;
export type Build = Awaited<ReturnType<typeof createBuild>>;

/** A service without slots that has a build of these steps. */
export async function useBuild(
  steps: readonly (string | object)[],
  options: Parameters<typeof useService>[0] = {},
): Promise<{ service: TestService; build: Build }> {
  const service = await useService({ slots: 0, ...options });
  const folder = join(service.home.root, 'build');
  await mkdir(folder);
  return { service, build: await createBuild(service, folder, steps) };
}

/** Sends a request to the agent API; any response is returned. */
export async function send(
  { url }: { readonly url: string },
  method: string,
  path: string,
  { body, bytes, token }: Sending,
): Promise<Reply> {
  const headers = {
    authorization: `Token ${token}`,
    ...(bytes !== undefined && { 'content-type': 'text/plain', 'content-encoding': 'gzip' }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const content = bytes === undefined ? JSON.stringify(body) : Buffer.from(bytes);
  const response = await fetch(`${url}/v3${path}`, { method, headers, body: content });
  const text = await response.text();
  return {
    status: response.status,
    text,
    get json() {
      return JSON.parse(text) as Wire;
    },
  };
}

/** Registers and connects. */
export async function register(
  service: Pick<TestService, 'url' | 'agentToken'>,
  members: object = {},
) {
  const body = { name: 'raw', version: '4.0.0', meta_data: [], ...members };
  const reply = await send(service, 'POST', '/register', { body, token: service.agentToken });
  if (reply.status !== 200) throw new Error(`register: ${reply.text}`);
  const { id, access_token: token } = reply.json;
  const call = (method: string, path: string, more: Partial<Sending> = {}) =>
    send(service, method, path, { token, ...more });
  await call('POST', '/connect');
  return { id, token, call };
}

/** Accepts and starts the job that it is assigned. */
export async function takeJob(agent: RawAgent) {
  const id = await offered(agent);
  const accepted = await agent.call('PUT', `/jobs/${id}/accept`);
  if (accepted.status !== 200) throw new Error(`accept: ${accepted.text}`);
  const { token, ...job } = accepted.json;
  const call = (method: string, path: string, more: Partial<Sending> = {}) =>
    agent.call(method, `/jobs/${id}${path}`, { token, ...more });
  await call('PUT', '/start', { body: { started_at: '2026-01-01T10:00:00.123456789Z' } });
  return {
    ...{ ...job, id, token, call },
    /** Sends a chunk of the log that starts at byte `offset`. */
    chunk: (sequence: number, offset: number, text: string) => {
      const size = Buffer.byteLength(text);
      const query = `sequence=${sequence}&offset=${offset}&size=${size}`;
      return call('POST', `/chunks?${query}`, { bytes: gzipSync(text) });
    },
    finish: (exitStatus = '0', members: object = {}) =>
      call('PUT', '/finish', {
        body: { exit_status: exitStatus, finished_at: '2026-01-01T10:00:01Z', ...members },
      }),
  };
}

/** Pings until a job is assigned. */
export async function offered(agent: RawAgent): Promise<string> {
  for (;;) {
    const { json } = await agent.call('GET', '/ping');
    if (json.job !== undefined) return json.job.id;
  }
}
