/** Client for the routes under `/local/v1`, which require the admin token in the state file. */
import { request } from 'node:http';
import { CictlError, type ErrorKind } from '../errors.ts';
import type { Plan } from './pipeline/plan.ts';
import type { RunOptions } from './run-options.ts';
import { readState, type ServiceState } from './state.ts';

/**
 * The routes:
 *
 *     GET    /status                              {url, pid, slots, running, scheduled, guests, fault, tags, listen, public_url, keep, read_ago}
 *     PATCH  /settings {keep}                      which old builds to keep; null keeps all
 *     POST   /prune {keep?} -> {removed, more}     removes old builds; `more` if there may be more to remove
 *     POST   /attached-runs {pid}                 keeps the service running until that process exits; 503 if it is closing
 *     POST   /down                                stops all jobs and the service
 *     GET    /organizations, POST {slug, name?}
 *     GET    /users, POST {name, email, role?: admin|member, organizations?: [slug]}
 *     GET    /tokens, POST {user?: id, name or email, organizations?: [slug], scopes?, description?} -> {token, …}
 *     GET    /organizations/ORG/pipelines, POST {folder, slug?, file?, restricted?}
 *     GET    /organizations/ORG/pipelines/SLUG, PATCH {default_branch?, 'provider.settings.build_tags'?, …}, DELETE
 *     GET    /organizations/ORG/agent-tokens, POST {description?} -> {token, …}; DELETE /…/UUID
 *     GET    /organizations/ORG/secrets -> names; PUT /…/NAME {value}, DELETE
 *     POST   /organizations/ORG/emojis {name, url, aliases?}
 *     POST   /runs RunRequest -> Build
 *     GET    /builds/ID/changes?after=VERSION     BuildChanges; waits a moment if there are none
 */
export type AdminMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `User-Agent` suffix of `cictl run`, whose requests do not count as use of the service. */
export const runMark = ' (run)';

/** Body of `POST /runs`, which registers the pipeline if necessary and creates a build. */
export interface RunRequest {
  /** Slug of the organization; default `local`. */
  readonly org?: string;
  /** Slug of the pipeline. Defaults to one derived from the name of the directory. */
  readonly slug?: string;
  readonly folder: string;
  /** Absolute path of the pipeline file. Not needed if `plan` is given. */
  readonly file?: string;
  readonly plan?: Plan;
  /** Request body of "Create a build" in the specification. */
  readonly build: object;
  /** ID of the process that watches the build. A service in another process outlives it. */
  readonly pid?: number;
  readonly workspace?: 'inplace' | 'copy' | 'worktree';
  readonly hostEnv?: Readonly<Record<string, string>>;
  /** URL of the checkout's Git remote. If omitted, the pipeline keeps its repository URL. */
  readonly repository?: string;
  /** YAML of a pipeline that is not in a file, and the name that messages use for it. */
  readonly text?: { readonly name: string; readonly text: string };
  /** The steps to run, by key or label: either those in `steps`, or `from` and all later steps. */
  readonly only?: {
    readonly from?: string;
    readonly steps?: readonly string[];
    readonly needs?: boolean;
  };
  readonly options?: Partial<RunOptions>;
}

/** Response of `GET /builds/ID/changes`: the complete build, or the changes since a version. */
export interface BuildChanges {
  /** The version to send as `after` in the next request. */
  readonly version: number;
  /** The build, without its jobs if `jobs` lists the changed jobs. */
  readonly build: object;
  readonly jobs?: readonly object[];
  /** IDs of the jobs that have not printed anything yet. */
  readonly withoutLog?: readonly string[];
}

export async function findService(dataDir: string): Promise<ServiceState | undefined> {
  const state = await readState(dataDir);
  if (state === undefined) return undefined;
  const status = await callAdmin(state, 'GET', '/status').catch(() => undefined);
  return status === undefined ? undefined : state;
}

/**
 * Sends a request. `path` does not include `/local/v1`; `timeout` is in milliseconds. Resolves to
 * the parsed JSON response, or undefined if the response is empty. Throws `CictlError`:
 * `unreachable` if there is no response, `not_found`, `refused`, or `machine` for an internal error
 * of the service.
 */
export async function callAdmin(
  state: Pick<ServiceState, 'url' | 'adminToken'>,
  method: AdminMethod,
  path: string,
  body?: unknown,
  timeout = 10_000,
): Promise<unknown> {
  const { status, text } = await sendAdminRequest(state, method, path, body, timeout);
  const value: unknown = text === '' ? undefined : JSON.parse(text);
  if (status < 400) return value;
  const { message = `status ${status}`, errors = [] } = (value ?? {}) as Refusal;
  const details = errors.map(
    (entry) => entry.message ?? `${entry.field ?? ''}: ${entry.code ?? ''}`,
  );
  throw new CictlError(kindOf(status), message, { status, details });
}

function kindOf(status: number): ErrorKind {
  if (status >= 500) return 'machine';
  return status === 404 ? 'not_found' : 'refused';
}

interface Refusal {
  message?: string;
  errors?: { field?: string; code?: string; message?: string }[];
}

function sendAdminRequest(
  { url, adminToken }: Pick<ServiceState, 'url' | 'adminToken'>,
  method: AdminMethod,
  path: string,
  body: unknown,
  timeout: number,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error): void => {
      reject(
        new CictlError('unreachable', `the local service at ${url} does not respond`, { cause }),
      );
    };
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
    const call = request(`${url}/local/v1${path}`, {
      method,
      headers,
      agent: false,
      timeout,
    });
    call
      .on('error', fail)
      .on('timeout', () => call.destroy(new Error(`no response in ${timeout} ms`)));
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', fail);
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
    });
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
