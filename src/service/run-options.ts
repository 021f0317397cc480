/** How the jobs of a build run on this machine. */
export interface RunOptions {
  readonly plugins: PluginPolicy;
  /** Directory that contains plugins by name, for machines without a network. */
  readonly pluginsFrom: string | null;
  /** Values of `secrets` by key. The API never returns them. */
  readonly secrets: Readonly<Record<string, string>>;
  /** How to handle trigger steps whose pipeline does not exist. */
  readonly triggers: 'skip' | 'error';
  readonly tty: boolean;
  /** Whether jobs run only in this machine's slots or only on agents. By default, they use both. */
  readonly runsOn?: 'slots' | 'agents';
  /** Whether unknown keys in pipeline files and uploads only cause notices. */
  readonly allowUnknownKeys?: boolean;
  /** Whether dependencies on missing keys only cause notices. */
  readonly ignoreMissingDependencies?: boolean;
}

export type PluginAction = 'run' | 'skip' | 'error';

export interface PluginPolicy {
  readonly default: PluginAction;
  /** The key is the plugin's name without an organization or version: `docker`. */
  readonly named: Readonly<Record<string, PluginAction>>;
}

export const usualRunOptions: RunOptions = {
  plugins: { default: 'run', named: {} },
  pluginsFrom: null,
  secrets: {},
  triggers: 'error',
  tty: true,
};

export const limitLine = (maxSize: number): string =>
  `cictl: the log reached its limit of ${sizeText(maxSize)}; the rest of the output was dropped\n`;

/** Ends a truncated line and any open escape sequence, which would otherwise hide the next line. */
export const lineEnd = '\x1b\\\n';

function sizeText(bytes: number): string {
  for (const [unit, size] of units) if (bytes % size === 0) return `${bytes / size} ${unit}`;
  return `${bytes} bytes`;
}

const units = [
  ...(['GiB', 'MiB', 'KiB'] as const).map((unit, index) => [unit, 1024 ** (3 - index)] as const),
  ...(['GB', 'MB', 'kB'] as const).map((unit, index) => [unit, 1000 ** (3 - index)] as const),
];
