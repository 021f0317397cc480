/**
 * The built-in service: the whole API of the specification over HTTP on loopback, its data in
 * SQLite, its jobs processes of this machine. Exported as `cictl/service` for other programs.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { env, pid } from 'node:process';
import { CictlError } from '../errors.ts';
import { makeFolder } from '../make-folder.ts';
import { bootstrap } from './bootstrap.ts';
import { systemClock, type LocalClock } from './clock.ts';
import { createApp } from './http/app.ts';
import { listen, type Listener } from './http/listen.ts';
import { createRateLimiter } from './http/rate-limit.ts';
import { enterControlGroup, type ControlGroup } from './control-group.ts';
import { watchDataFolder, type FolderWatch } from './data-folder.ts';
import { graphqlRoutes } from './graphql/routes.ts';
import { restRoutes } from './http/routes/rest-routes.ts';
import { hostVariables } from './runner/host-variables.ts';
import { preparePlugins } from './plugins/prepare-plugins.ts';
import { createRunner } from './runner/runner.ts';
import { createAttachedRuns } from './attached-runs.ts';
import { startOf } from './running-process.ts';
import { startPruning, type Pruning } from './prune/keep-pruning.ts';
import { createPruner } from './prune/pruner.ts';
import { createReaders } from './readers.ts';
import { createEngine, type Engine } from './scheduler/engine.ts';
import { newSecret } from './secrets.ts';
import { writeShim } from './shim/shim.ts';
import { readState, removeState, writeState } from './state.ts';
import { lockFolder } from './store/lock.ts';
import { openArtifactFiles } from './store/artifact-files.ts';
import { openLogs } from './store/logs.ts';
import { openStore, type Store } from './store/store.ts';
import { urlsOf } from './urls.ts';
import type { Runner } from './runner-port.ts';

export interface ServiceOptions {
  /** Folder that holds everything; made with mode 0700 where it is missing. */
  readonly dataDir: string;
  /** Port on 127.0.0.1; 0, the default, takes a free one. */
  readonly port?: number;
  readonly clock?: LocalClock;
  /** Makes UUIDs. */
  readonly ids?: () => string;
  /** How many jobs run at once; default 2. */
  readonly slots?: number;
  /** Requests that a user may send in a minute; an organization takes four times as many. Off by default. */
  readonly rateLimit?: number;
  /**
   * Whether the process is there for the service alone: `local down` then waits for its end, and
   * kills it where it does not respond. Default false.
   */
  readonly ownsProcess?: boolean;
  /**
   * Whether this process, while the service runs, is moved into a control group of its own, where
   * the system allows it: all that descends from it is then ended with it or by its successor,
   * whatever it did to get away. Default false.
   */
  readonly isConfined?: boolean;
  /**
   * How much of old builds stays: an age (`90d`) or how many of each pipeline (`500`), null for all;
   * by default what was said last.
   */
  readonly keep?: string | null;
  /** Runs the jobs; by default processes of this machine. */
  readonly runner?: Runner;
  /** Environment of this machine, of which jobs get a few variables; default that of this process. */
  readonly hostEnv?: Readonly<Record<string, string | undefined>>;
}

/** A service that answers. */
export interface Service {
  /** Base URL of all three APIs, without a slash at the end: `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly port: number;
  /** Slug of the organization that is always there. */
  readonly org: 'local';
  /** Access token with every scope; a new one where the last was revoked. */
  readonly token: string;
  /** Agent registration token of `org`, for the metrics. */
  readonly agentToken: string;
  /** Opens the routes under `/local/v1`, for as long as this service runs. */
  readonly adminToken: string;
  /**
   * Ends what runs, answers what is open, unlocks the data folder. With `kill` the jobs get KILL
   * at once in place of TERM and ten seconds, also when a `close` in order is under way.
   */
  close(options?: { readonly kill?: boolean }): Promise<void>;
  /** Settles when the service has closed, whoever asked for it. */
  readonly closed: Promise<void>;
  /** Settles with the reason when the data folder has gone; the service then closes by itself. */
  readonly folderGone: Promise<CictlError>;
}

/**
 * Starts the service on its data folder.
 * Throws `CictlError` `machine` when the folder is locked by another service, cannot be written, or
 * the port is taken.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { dataDir } = options;
  const unlock = await takeFolder(dataDir);
  try {
    return await openFolder(options, unlock);
  } catch (error) {
    unlock();
    throw unusable(dataDir, error);
  }
}

async function takeFolder(dataDir: string): Promise<() => void> {
  try {
    await makeFolder(dataDir, 0o700);
    chmodSync(dataDir, 0o700);
    return lockFolder(dataDir);
  } catch (cause) {
    throw unusable(dataDir, cause);
  }
}

/** What the system or SQLite refuses, in the user's terms; other errors are left as they are. */
function unusable(dataDir: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || !('code' in cause)) return cause;
  const isDamaged = cause.code === 'SQLITE_NOTADB' || cause.code === 'SQLITE_CORRUPT';
  return new CictlError('machine', `cannot use the data folder ${dataDir}: ${cause.message}`, {
    ...(isDamaged && { hint: 'cictl local reset' }),
    cause,
  });
}

async function openFolder(options: ServiceOptions, unlock: () => void): Promise<Service> {
  const store = openStore(options.dataDir);
  try {
    const server = await listen(options.port ?? 0);
    try {
      return await serve(options, { store, server, unlock });
    } catch (error) {
      await server.close();
      throw error;
    }
  } catch (error) {
    store.close();
    throw error;
  }
}

interface Opened {
  readonly store: Store;
  readonly server: Listener;
  readonly unlock: () => void;
}

async function serve(options: ServiceOptions, opened: Opened): Promise<Service> {
  const { dataDir, clock = systemClock, ids: newId = randomUUID } = options;
  const { hostEnv = env, slots = 2, rateLimit } = options;
  const { store, server } = opened;
  const { port } = server;
  const urls = urlsOf(`http://127.0.0.1:${port}`);
  // The system takes a moment for it.
  const entering = options.isConfined === true ? enterControlGroup(dataDir) : undefined;
  const path = join(dataDir, 'bin');
  // Only a service that was killed leaves its state behind.
  const before = await readState(dataDir);
  await writeShim(path);
  const plugins = { prepare: preparePlugins, cache: join(dataDir, 'plugins') };
  const runner = options.runner ?? createRunner({ host: hostEnv, plugins });
  const logs = openLogs(dataDir);
  const workspaces = join(dataDir, 'workspaces');
  const host = hostVariables(hostEnv);
  const made = { store, logs, urls, clock, newId, runner, slots, workspaces };
  const parts = { ...made, path: [path], host };
  const engine = createEngine(parts);
  const credentials = await bootstrap(parts, dataDir);
  const adminToken = newSecret('cictl_admin');
  const artifactFiles = await openArtifactFiles(dataDir);
  const pruner = createPruner({ store, logs, artifactFiles, clock });
  if (options.keep !== undefined) store.settings.set('keep', options.keep);
  const pruning = startPruning(store, pruner);
  const folder = await watchDataFolder(dataDir);
  const group = await entering;
  const { close, closed } = closing(dataDir, adminToken, engine, {
    ...opened,
    folder,
    group,
    pruning,
  });
  const { gone: folderGone } = folder;
  // Nothing of it can be written down any more.
  void folderGone.then(() => close({ kill: true }));
  server.handle(
    createApp({
      service: {
        ...parts,
        engine,
        ...{ artifactFiles, pruner, pruning },
        attachedRuns: createAttachedRuns(),
        // Those who wait are other processes: the clock that a test sets is not theirs.
        readers: createReaders(systemClock),
        down: () => setImmediate(() => void close()),
      },
      routes: [...graphqlRoutes, ...restRoutes],
      port,
      adminToken,
      rateLimiter: rateLimit === undefined ? undefined : createRateLimiter(rateLimit, clock),
    }),
  );
  if (before !== undefined) runner.reap?.({ jobIds: [], logs: logs.folder });
  await engine.start();
  const { base: url } = urls;
  const own = { ownsProcess: options.ownsProcess ?? false, processStart: startOf(pid) ?? null };
  await writeState(dataDir, { url, pid, adminToken, ...credentials, ...own });
  return { url, port, org: 'local', ...credentials, adminToken, close, closed, folderGone };
}

interface Parts extends Opened {
  readonly folder: FolderWatch;
  readonly group: ControlGroup | undefined;
  readonly pruning: Pruning;
}

/** The way down: jobs first, so that their outcomes are still written. */
function closing(
  dataDir: string,
  adminToken: string,
  engine: Engine,
  { store, server, unlock, folder, group, pruning }: Parts,
): Pick<Service, 'close' | 'closed'> {
  let under: Promise<void> | undefined;
  let resolveClosed = (): void => undefined;
  const closed = new Promise<void>((resolve) => (resolveClosed = resolve));
  async function shutDown(kill: boolean): Promise<void> {
    folder.stop();
    await engine.stop(kill);
    await group?.leave();
    await server.close();
    await pruning.stop();
    store.close();
    unlock();
    await removeState(dataDir, { adminToken });
    resolveClosed();
  }
  const close: Service['close'] = async ({ kill = false } = {}) => {
    if (under !== undefined && kill) void engine.stop(kill);
    await (under ??= shutDown(kill));
  };
  return { close, closed };
}
