import type { Reserve } from './data-folder.ts';
import type { AgentProcesses } from './processes/agent-processes.ts';
import type { AttachedRuns, Readers } from './processes/attached-runs.ts';
import type { Pruner, Pruning } from './pruner.ts';
import type { EngineParts } from './scheduler/engine-state.ts';
import type { Engine } from './scheduler/engine.ts';
import type { Snapshots } from './snapshots/snapshots.ts';
import type { ArtifactFiles } from './store/artifact-files.ts';

export interface ServiceContext extends Omit<
  EngineParts,
  'runner' | 'slots' | 'path' | 'onJobEnd'
> {
  readonly engine: Engine;
  readonly agentProcesses: AgentProcesses;
  readonly attachedRuns: AttachedRuns;
  readonly readers: Readers;
  readonly pruner: Pruner;
  readonly pruning: Pruning;
  readonly reserve: Reserve;
  readonly artifactFiles: ArtifactFiles;
  readonly snapshots: Snapshots;
  /** The additional address for agents on other machines, if any. */
  readonly listen: { readonly url: string; readonly publicUrl: string | undefined } | undefined;
  /** Closes the service after the current request. */
  readonly down: () => void;
}
