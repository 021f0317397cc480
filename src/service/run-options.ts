/** How the jobs of a build run on this machine. */
export interface RunOptions {
  readonly plugins: PluginPolicy;
  /** Directory with plugins by name, for a machine without a network. */
  readonly pluginsFrom: string | null;
  /** Values of `secrets` by key. The API never returns them. */
  readonly secrets: Readonly<Record<string, string>>;
  /** What to do with trigger steps whose pipeline does not exist. */
  readonly triggers: 'skip' | 'error';
  readonly tty: boolean;
  /** Whether jobs run in this machine's slots or on agents; default: both. */
  readonly runsOn?: 'slots' | 'agents';
  /** Unknown keys in pipeline files, even in uploads, are only notices. */
  readonly allowUnknownKeys?: boolean;
  /** Dependencies on missing keys are only notices. */
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

export const limitLine = (maxSize: number): string =>
  `cictl: the log reached its limit of ${sizeText(maxSize)}; the rest of the output was dropped\n`;

/** Closes a truncated line, and any open escape sequence in it, which would hide the next line. */
export const lineEnd = '\x1b\\\n';

function sizeText(bytes: number): string {
  for (const [unit, size] of units) if (bytes % size === 0) return `${bytes / size} ${unit}`;
  return `${bytes} bytes`;
}

const units = [
  ...(['GiB', 'MiB', 'KiB'] as const).map((unit, index) => [unit, 1024 ** (3 - index)] as const),
  ...(['GB', 'MB', 'kB'] as const).map((unit, index) => [unit, 1000 ** (3 - index)] as const),
];
