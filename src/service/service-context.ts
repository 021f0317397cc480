import type { Clock } from '../common/clock.ts';
import type { AgentProcesses } from './processes/agent-processes.ts';
import type { AttachedRuns, Readers } from './processes/attached-runs.ts';
import type { Pruner, Pruning } from './pruner.ts';
import type { Reserve } from './data-folder.ts';
import type { Engine } from './scheduler/engine.ts';
import type { Snapshots } from './snapshots/snapshots.ts';
import type { ArtifactFiles } from './store/artifact-files.ts';
import type { AgentTimes } from './scheduler/engine-state.ts';
import type { LogPieces, Logs } from './store/logs.ts';
import type { Store } from './store/store.ts';
import type { Urls } from './urls.ts';

/** Everything that the routes use. */
export interface ServiceContext {
  readonly store: Store;
  readonly engine: Engine;
  readonly agentProcesses: AgentProcesses;
  readonly attachedRuns: AttachedRuns;
  readonly readers: Readers;
  readonly pruner: Pruner;
  readonly pruning: Pruning;
  readonly reserve: Reserve;
  readonly logs: Logs;
  readonly logPieces: LogPieces;
  readonly artifactFiles: ArtifactFiles;
  readonly agents: AgentTimes;
  readonly snapshots: Snapshots;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
  readonly urls: Urls;
  readonly tags?: readonly string[] | undefined;
  /** The additional address for agents, if any. */
  readonly listen: { readonly url: string; readonly publicUrl: string | undefined } | undefined;
  readonly host: Readonly<Record<string, string>>;
  readonly workspaces: string;
  /** Closes the service after the current request. */
  readonly down: () => void;
}
