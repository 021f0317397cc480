/** How the jobs of a build run on this machine. */
export interface RunOptions {
  readonly plugins: PluginPolicy;
  /** Folder with plugins by name, for a machine without a network. */
  readonly pluginsFrom: string | null;
  /** Values of `secrets`, by key; shown by no part of the API. */
  readonly secrets: Readonly<Record<string, string>>;
  /** What becomes of a trigger of a pipeline that is not here. */
  readonly triggers: 'skip' | 'error';
  /** Whether jobs get a terminal. */
  readonly tty: boolean;
  /** Who runs them: the slots of this machine, or agents beside it; left out, whoever fits. */
  readonly runsOn?: 'slots' | 'agents';
  /** Unknown keys of pipeline files are notices, also in what jobs upload. */
  readonly allowUnknownKeys?: boolean;
  /** So are dependencies on keys that the build does not have. */
  readonly ignoreMissingDependencies?: boolean;
}

export type PluginAction = 'run' | 'skip' | 'error';

export interface PluginPolicy {
  readonly default: PluginAction;
  /** By name, without organization and version: `docker`. */
  readonly named: Readonly<Record<string, PluginAction>>;
}

export const usualRunOptions: RunOptions = {
  plugins: { default: 'run', named: {} },
  pluginsFrom: null,
  secrets: {},
  triggers: 'error',
  tty: true,
};
