/**
 * Calls the routes under `/local/v1` of a running service: what `local` and `run` do beside the
 * public API. Not part of that API, and only for the user who can read the state file.
 */
import { request } from 'node:http';
import { CictlError, type ErrorKind } from '../errors.ts';
import type { Plan } from './pipeline/plan.ts';
import type { RunOptions } from './run-options.ts';
import { readState, type ServiceState } from './state.ts';

/**
 * The routes:
 *
 *     GET    /status                              {url, pid, slots, running, scheduled, guests, fault, tags, listen, public_url, keep, read_ago}
 *     PATCH  /settings {keep}                      how much of old builds stays; null: all
 *     POST   /prune {keep?} -> {removed, more}     removes some old builds; `more`: there may be others
 *     POST   /attached-runs {pid}                 the service waits for that process; 503 where it is closing
 *     POST   /down                                the service ends what runs and closes
 *     GET    /organizations, POST {slug, name?}
 *     GET    /users, POST {name, email, role?: admin|member, organizations?: [slug]}
 *     GET    /tokens, POST {user?: id, name or email, organizations?: [slug], scopes?, description?} -> {token, …}
 *     GET    /organizations/ORG/pipelines, POST {folder, slug?, file?, restricted?}
 *     GET    /organizations/ORG/pipelines/SLUG, PATCH {default_branch?, 'provider.settings.build_tags'?, …}, DELETE
 *     GET    /organizations/ORG/agent-tokens, POST {description?} -> {token, …}; DELETE /…/UUID
 *     GET    /organizations/ORG/secrets -> names; PUT /…/NAME {value}, DELETE
 *     POST   /organizations/ORG/emojis {name, url, aliases?}
 *     POST   /runs RunRequest -> Build
 *     GET    /builds/ID/changes?after=VERSION     BuildChanges, when there are any or a moment later
 */
export type AdminMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** At the end of the `User-Agent` of a `run`, which knows itself how long it needs the service. */
export const runMark = ' (run)';

/** What `POST /runs` takes: registers the pipeline where it is new, and creates a build of it. */
export interface RunRequest {
  /** Organization, default `local`. */
  readonly org?: string;
  /** Default: made from the folder's name. */
  readonly slug?: string;
  /** Absolute folder in which jobs run. */
  readonly folder: string;
  /** Absolute pipeline file; may be left out where `plan` is given. */
  readonly file?: string;
  /** Steps to run in place of those in the file. */
  readonly plan?: Plan;
  /** Body of "create a build" (specification). */
  readonly build: object;
  /** The process that watches the build: a service that lives in a `run` waits for its end. */
  readonly pid?: number;
  readonly workspace?: 'inplace' | 'copy' | 'worktree';
  /** Further variables of the host that jobs inherit. */
  readonly hostEnv?: Readonly<Record<string, string>>;
  /** Address of the remote of the checkout, for the pipeline; default: as it is. */
  readonly repository?: string;
  /** The pipeline itself, read from elsewhere than a file, and what it is called in messages. */
  readonly text?: { readonly name: string; readonly text: string };
  /** Runs this step alone, or this one and all that follow it, by key or label. */
  readonly only?: {
    readonly from?: string;
    readonly steps?: readonly string[];
    readonly needs?: boolean;
  };
  /** What is left out is as usual. */
  readonly options?: Partial<RunOptions>;
}

/** What `GET /builds/ID/changes` gives: all of a build, or what is new since a version of it. */
export interface BuildChanges {
  /** For the next request. */
  readonly version: number;
  /** Without its jobs where those that have changed stand beside it. */
  readonly build: object;
  readonly jobs?: readonly object[];
  /** Ids of those of them that have written nothing so far. */
  readonly withoutLog?: readonly string[];
}

/** The service that runs on this data folder and answers, else undefined. */
export async function findService(dataDir: string): Promise<ServiceState | undefined> {
  const state = await readState(dataDir);
  if (state === undefined) return undefined;
  const status = await callAdmin(state, 'GET', '/status').catch(() => undefined);
  return status === undefined ? undefined : state;
}

/**
 * One call, `path` without `/local/v1`, `timeout` in milliseconds. Resolves to the JSON of the response, undefined where it is empty.
 * Throws `CictlError`: `unreachable` where nobody answers, `not_found`, `refused` and, where it has
 * an error of its own, `machine` with the service's message.
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
        new CictlError('unreachable', `the local service at ${url} does not answer`, { cause }),
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
