import type { AgentProcesses } from './agent-processes/agent-processes.ts';
import type { ControlGroup } from './control-group.ts';
import type { FolderWatch } from './data-folder.ts';
import type { Listener } from './http/listen.ts';
import type { Pruning } from './prune/keep-pruning.ts';
import type { Engine } from './scheduler/engine.ts';
import type { Service } from './service.ts';
import { removeState } from './state.ts';
import type { Snapshots } from './snapshots/snapshots.ts';
import type { Store } from './store/store.ts';

/** What is closed with it. */
export interface OpenParts {
  readonly store: Store;
  readonly servers: readonly Listener[];
  readonly unlock: () => void;
  readonly engine: Engine;
  readonly agentProcesses: Pick<AgentProcesses, 'stop'>;
  /** Other processes that wait for builds; none is taken any more. */
  readonly attachedRuns: { refuse(): void };
  readonly folder: FolderWatch;
  readonly group: ControlGroup | undefined;
  readonly pruning: Pruning;
  readonly snapshots: Pick<Snapshots, 'close'>;
}

/** The way down: jobs first, so that their outcomes are still written. */
export function closing(
  dataDir: string,
  adminToken: string,
  parts: OpenParts,
): Pick<Service, 'close' | 'closed'> {
  const { store, servers, unlock, engine, agentProcesses, folder, group, pruning, snapshots } =
    parts;
  let under: Promise<void> | undefined;
  let resolveClosed = (): void => undefined;
  const closed = new Promise<void>((resolve) => (resolveClosed = resolve));
  async function shutDown(kill: boolean): Promise<void> {
    parts.attachedRuns.refuse();
    folder.stop();
    // While the service responds agents say how their jobs end.
    await Promise.all([agentProcesses.stop(kill), engine.stop(kill)]);
    await group?.leave();
    // An agent may wait for one.
    await snapshots.close();
    await Promise.all(servers.map((server) => server.close()));
    await pruning.stop();
    store.close();
    unlock();
    await removeState(dataDir, { adminToken });
    resolveClosed();
  }
  const close: Service['close'] = async ({ kill = false } = {}) => {
    if (under !== undefined && kill) {
      void agentProcesses.stop(kill);
      void engine.stop(kill);
    }
    await (under ??= shutDown(kill));
  };
  return { close, closed };
}
