/** A service for tests, used over plain HTTP without our client. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  startService,
  type Service,
  type ServiceOptions,
} from '../../src/service/start-service.ts';
import { addEmptyDatabase } from '../support/empty-database.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body as a JSON object. */
  readonly json: Wire;
  /** The body as a JSON array. */
  readonly list: Wire[];
}

/** The members that tests read; responses contain more. */
export interface Wire extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly uuid: string;
  readonly number: number;
  readonly state: string;
  readonly blocked: boolean;
  readonly name: string;
  readonly slug: string;
  readonly message: string;
  readonly content: string;
  readonly token: string;
  readonly body_html: string;
  readonly env: Record<string, string>;
  readonly jobs: Wire[];
  readonly pipeline: Wire & { readonly provider: { readonly webhook_url: string } };
  readonly data: Wire;
}

export interface Sending {
  readonly method?: string;
  readonly body?: unknown;
  /** Sent unchanged instead of `body`. */
  readonly raw?: string;
  readonly headers?: Record<string, string>;
  /** null sends none. */
  readonly token?: string | null;
}

export interface Counterpart extends Service {
  readonly dataDir: string;
  send(path: string, sending?: Sending): Promise<Reply>;
  get(path: string, sending?: Sending): Promise<Reply>;
  post(path: string, body: unknown, sending?: Sending): Promise<Reply>;
  put(path: string, body?: unknown, sending?: Sending): Promise<Reply>;
  delete(path: string, sending?: Sending): Promise<Reply>;
  /** Calls a route under `/local/v1` with the administrator's token; fails unless it succeeds. */
  admin(method: string, path: string, body?: unknown): Promise<Wire>;
  /** Creates a pipeline `slug` of `local` with this file; resolves to its REST path. */
  pipeline(slug: string, file: string, options?: object): Promise<string>;
  /** Polls the build until it has settled. */
  settled(path: string): Promise<Wire>;
  /** Polls the build until the condition holds. */
  until(path: string, holds: (build: Wire) => boolean): Promise<Wire>;
}

/** A service with its own directory, closed and removed when the test has finished. */
export async function useCounterpart(options: Partial<ServiceOptions> = {}): Promise<Counterpart> {
  const counterpart = await createCounterpart(options);
  onTestFinished(() => counterpart.close());
  return counterpart;
}

/** A service for several tests. Call `close` in `afterAll`. */
export async function createCounterpart(
  options: Partial<ServiceOptions> = {},
): Promise<Counterpart> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'cictl-service-')));
  addEmptyDatabase(dataDir);
  const service = await startService({ ...options, dataDir });
  const close = async (): Promise<void> => {
    await service.close();
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  return { ...service, close, dataDir, ...hands(service, dataDir) };
}

function hands(service: Service, dataDir: string) {
  const send = (path: string, { token = service.token, ...sending }: Sending = {}) =>
    exchange(new URL(service.url + path), path, { ...sending, token });
  const get = (path: string, sending: Sending = {}) => send(path, sending);
  const admin = async (method: string, path: string, body?: unknown): Promise<Wire> => {
    const token = service.adminToken;
    const reply = await send(`/local/v1${path}`, { method, body, token });
    if (reply.status >= 400) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply.text === '' ? ({} as Wire) : reply.json;
  };
  const until = async (path: string, holds: (build: Wire) => boolean): Promise<Wire> => {
    for (;;) {
      const { status, text, json } = await get(path);
      if (status >= 400) throw new Error(`GET ${path}: ${text}`);
      if (holds(json)) return json;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  return {
    send,
    get,
    post: (path: string, body: unknown, sending: Sending = {}) =>
      send(path, { ...sending, method: 'POST', body }),
    put: (path: string, body?: unknown, sending: Sending = {}) =>
      send(path, { ...sending, method: 'PUT', body }),
    delete: (path: string, sending: Sending = {}) => send(path, { ...sending, method: 'DELETE' }),
    admin,
    pipeline: async (slug: string, text: string, more: object = {}): Promise<string> => {
      const file = join(dataDir, `${slug}.yml`);
      await writeFile(file, text);
      await admin('POST', '/organizations/local/pipelines', {
        folder: dataDir,
        file,
        slug,
        ...more,
      });
      return `/v2/organizations/local/pipelines/${slug}`;
    },
    until,
    settled: (path: string) =>
      until(
        path,
        (build: Wire) =>
          build.blocked ||
          ['passed', 'failed', 'canceled', 'skipped', 'not_run'].includes(build.state),
      ),
  };
}

function exchange(url: URL, path: string, sending: Sending): Promise<Reply> {
  const { method = 'GET', body, raw, token, headers = {} } = sending;
  const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const call = request(url, {
      method,
      // As written: `URL` would normalize brackets and dots.
      path,
      agent: false,
      headers: { ...(token !== null && { authorization: `Bearer ${String(token)}` }), ...headers },
    });
    call.on('error', reject);
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const content = Buffer.concat(chunks).toString();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: content,
          get json() {
            return JSON.parse(content) as Wire;
          },
          get list() {
            return JSON.parse(content) as Wire[];
          },
        });
      });
    });
    call.end(text);
  });
}
