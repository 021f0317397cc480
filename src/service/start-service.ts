/**
 * The built-in service. It implements the API of the specification over HTTP on loopback, stores
 * its data in SQLite, and runs jobs as processes on this machine. Exported as `cictl/service`.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { env, pid } from 'node:process';
import { chmodSync } from 'node:fs';
import { bootstrap } from './accounts.ts';
import { systemClock } from '../common/clock.ts';
import { createApp } from './http/app.ts';
import type { AgentListener } from './http/listen-for-agents.ts';
import { listenAsBefore, type Listener } from './http/listen.ts';
import { loopbackReach } from './http/reach.ts';
import { createRateLimiter } from './http/rate-limit.ts';
import { enterControlGroup } from './processes/control-group.ts';
import { reserveIn, watchDataFolder } from './data-folder.ts';
import { graphqlRoutes } from './graphql/routes.ts';
import { restRoutes } from './http/routes/rest-routes.ts';
import { pageRoutes } from './pages/page-routes.ts';
import { hostVariables } from './runner/host-variables.ts';
import { preparePlugins } from './plugins/prepare-plugins.ts';
import { createRunner } from './runner/runner.ts';
import { createAttachedRuns, createReaders } from './processes/attached-runs.ts';
import { startOf } from './runner/processes.ts';
import { createPruner, startPruning } from './pruner.ts';
import { usualAgentTimes } from './scheduler/engine-state.ts';
import { createEngine } from './scheduler/engine.ts';
import { newSecret } from './secrets.ts';
import { writeShim } from './shim/shim.ts';
import { openSnapshots } from './snapshots/snapshots.ts';
import type { Service, ServiceOptions } from './service.ts';
import { readState, writeState, removeState } from './state.ts';
import { openArtifactFiles } from './store/artifact-files.ts';
import { openLogPieces, openLogs } from './store/logs.ts';
import { openStore, type Store } from './store/store.ts';
import { urlsOf } from './urls.ts';
import { CictlError } from '../errors.ts';
import { makeFolder } from '../common/write-files.ts';
import { lockFolder } from './store/lock.ts';
import type { AgentProcesses, ProcessParts } from './processes/agent-processes.ts';

export type { Service, ServiceOptions } from './service.ts';

/** Throws `CictlError` `machine` if the data directory or the port cannot be used. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { dataDir } = options;
  const closers: (() => unknown)[] = [];
  const release = async (): Promise<void> => {
    for (const close of closers.reverse()) await close();
  };
  try {
    await makeFolder(dataDir, 0o700);
    chmodSync(dataDir, 0o700);
    closers.push(lockFolder(dataDir));
    const group = options.isConfined === true ? confine(dataDir) : undefined;
    // Before the directory is unlocked, because the next service kills what is left in the group.
    closers.push(() => group?.leave());
    reserveIn(dataDir).release();
    const store = openStore(dataDir);
    closers.push(() => store.close());
    const server = await listenAsBefore(store.settings, options.port);
    let forAgents: AgentListener | undefined;
    closers.push(() => Promise.all([server.close(), forAgents?.server.close()]));
    if (options.listen !== undefined) {
      const { listenForAgents } = await import('./http/listen-for-agents.ts');
      forAgents = await listenForAgents(options.listen);
    }
    return await serve(options, { store, group, server, forAgents, release });
  } catch (error) {
    await release();
    throw explained(dataDir, error);
  }
}

/** Explains an error of the system or of SQLite. Returns other errors unchanged. */
function explained(dataDir: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || !('code' in cause)) return cause;
  const isCorrupt = cause.code === 'SQLITE_NOTADB' || cause.code === 'SQLITE_CORRUPT';
  const wayOut = isCorrupt ? '; cictl local reset moves the directory aside' : '';
  const message = `cannot use the data directory ${dataDir}: ${cause.message}${wayOut}`;
  return new CictlError('machine', message, {
    ...(isCorrupt && { hint: 'cictl local reset' }),
    cause,
  });
}

interface Opened {
  readonly store: Store;
  readonly group: ReturnType<typeof confine> | undefined;
  /** The server for requests from this machine. */
  readonly server: Listener;
  readonly forAgents: AgentListener | undefined;
  /** Closes the store and the servers, leaves the group, and unlocks the data directory. */
  readonly release: () => Promise<void>;
}

async function serve(options: ServiceOptions, opened: Opened): Promise<Service> {
  const { dataDir, clock = systemClock, ids: newId = randomUUID } = options;
  const { hostEnv = env, slots = 2, tags, heartbeat = 15, rateLimit } = options;
  const { store, group, server, forAgents, release } = opened;
  const { port } = server;
  const urls = urlsOf(new URL(`http://127.0.0.1:${port}`).origin);
  const path = join(dataDir, 'bin');
  // A state file only exists if the previous service was killed.
  const before = await readState(dataDir);
  await writeShim(path);
  const plugins = { prepare: preparePlugins, cache: join(dataDir, 'plugins') };
  const runner = options.runner ?? createRunner({ host: hostEnv, plugins });
  const logs = openLogs(dataDir, options.maxLog);
  const logPieces = openLogPieces(dataDir, logs);
  const workspaces = join(dataDir, 'workspaces');
  const host = hostVariables(hostEnv);
  const { expireAfter = usualAgentTimes.expireAfter } = options;
  const agents = { heartbeat: heartbeat * 1000, expireAfter };
  const parts = {
    ...{ store, logs, logPieces, urls, clock, newId, runner, slots, tags, workspaces, agents },
    ...{ path: [path], host },
  };
  const engine = createEngine(parts);
  const credentials = await bootstrap(parts, dataDir);
  const adminToken = newSecret('cictl_admin');
  const artifactFiles = await openArtifactFiles(dataDir);
  const snapshots = await openSnapshots(dataDir);
  const pruner = createPruner({ store, logs, artifactFiles, snapshots, clock });
  if (options.keep !== undefined) store.settings.set('keep', options.keep);
  const pruning = startPruning(store, pruner);
  const reserve = reserveIn(dataDir);
  const folder = await watchDataFolder(dataDir, () => reserve.restore());
  const agentProcesses = lazyAgentProcesses({
    ...{ store, newId, clock, dataDir, url: urls.base, agents: engine.agents },
  });
  const attachedRuns = createAttachedRuns();
  // Stops jobs while the service still responds, so that agents can report how their jobs ended.
  const stopJobs = (kill: boolean) => Promise.all([agentProcesses.stop(kill), engine.stop(kill)]);
  const { close, closed } = createClose(stopJobs, async (kill) => {
    attachedRuns.refuse();
    folder.stop();
    await stopJobs(kill);
    // Awaited by `release`, because leaving takes a moment.
    void group?.leave();
    // Requests from agents may still be waiting for snapshots.
    await snapshots.close();
    await pruning.stop();
    await release();
    await removeState(dataDir, { adminToken });
  });
  const { gone: folderGone } = folder;
  // Data can no longer be stored, so there is no point in a clean shutdown.
  void folderGone.then(() => close({ kill: true }));
  const service = {
    ...parts,
    engine,
    ...{ artifactFiles, snapshots, pruner, pruning, reserve },
    listen: forAgents && { url: forAgents.url, publicUrl: options.listen?.publicUrl },
    agentProcesses,
    attachedRuns,
    // Readers are other processes, so this uses the system clock even in tests.
    readers: createReaders(systemClock),
    down: () => setImmediate(() => void close()),
  };
  const rateLimiter = rateLimit === undefined ? undefined : createRateLimiter(rateLimit, clock);
  const usual = { service, adminToken, rateLimiter };
  const api = [...graphqlRoutes, ...restRoutes];
  const routes = [...api, ...pageRoutes(api, adminToken)];
  server.handle(createApp({ ...usual, routes, reach: loopbackReach(port) }));
  if (forAgents !== undefined) {
    const { routesForAgents } = await import('./http/listen-for-agents.ts');
    const { reach } = forAgents;
    const app = { ...usual, routes: routesForAgents(routes), reach, isForAgents: true };
    forAgents.server.handle(createApp(app));
  }
  if (before !== undefined) {
    runner.reap?.({ jobIds: [], logs: logs.folder });
    const { killLeftAgents } = await import('./processes/agent-processes.ts');
    killLeftAgents(dataDir);
  }
  await group?.entered;
  await engine.start();
  const { base: url } = urls;
  const own = { ownsProcess: options.ownsProcess ?? false, processStart: startOf(pid) ?? null };
  await writeState(dataDir, { url, pid, adminToken, ...credentials, ...own });
  reserve.restore();
  const leave = (): boolean => attachedRuns.leave();
  return { url, port, org: 'local', ...credentials, adminToken, leave, close, closed, folderGone };
}

/** Moves this process into a control group. `leave` can be called several times. */
function confine(dataDir: string) {
  const entering = enterControlGroup(dataDir);
  let leaving: Promise<void> | undefined;
  const leave = (): Promise<void> => (leaving ??= entering.then((group) => group?.leave()));
  return { entered: entering, leave };
}

function createClose(
  stopJobs: (kill: boolean) => Promise<unknown>,
  shutDown: (kill: boolean) => Promise<void>,
): Pick<Service, 'close' | 'closed'> {
  let closing: Promise<void> | undefined;
  let resolveClosed = (): void => undefined;
  const closed = new Promise<void>((resolve) => (resolveClosed = resolve));
  const close: Service['close'] = async ({ kill = false } = {}) => {
    if (closing !== undefined && kill) void stopJobs(kill);
    await (closing ??= shutDown(kill).then(resolveClosed));
  };
  return { close, closed };
}

/** Loads the module when the first agent is started, because few services start agents. */
function lazyAgentProcesses(parts: ProcessParts): AgentProcesses {
  let loading: Promise<AgentProcesses> | undefined;
  const load = async (): Promise<AgentProcesses> => {
    const { createAgentProcesses } = await import('./processes/agent-processes.ts');
    return createAgentProcesses(parts);
  };
  return {
    start: async (wanted) => (await (loading ??= load())).start(wanted),
    stop: async (kill) => (await loading)?.stop(kill),
  };
}
