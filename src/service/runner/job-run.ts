/** What the phases of a job share. */
import { mkdirSync } from 'node:fs';
import type { JobEnvironment, JobSpec } from '../runner-port.ts';
import type { PluginRequest, ReadyPlugin } from '../plugins/plugin.ts';
import type { JobLog } from './job-log.ts';
import type { OpenPipe } from './output-pipe.ts';
import type { Exit, StartProcess } from './start-process.ts';
import type { Stopper, Timers } from './stopper.ts';

export interface World {
  /** Path of bash. */
  readonly bash: string;
  /** Path of `env`. */
  readonly env: string;
  readonly host: Readonly<Record<string, string>>;
  /** Further variables for git where it works for the job; those of the job come before them. */
  readonly git: Readonly<Record<string, string>>;
  readonly timers: Timers;
  readonly openPipe: OpenPipe;
  readonly startProcess: StartProcess;
  readonly plugins?: PluginSource;
}

/** Where plugins come from. */
export interface PluginSource {
  prepare(request: PluginRequest): Promise<readonly ReadyPlugin[]>;
  /** Folder that keeps what was fetched. */
  readonly cache: string;
}

export interface JobRun {
  readonly spec: JobSpec;
  readonly world: World;
  readonly variables: JobEnvironment;
  readonly log: JobLog;
  readonly stopper: Stopper;
  /** File descriptor for both streams of each process. */
  readonly input: number;
  /** Adds lines of the runner's own, behind all that was written before. */
  say(...lines: string[]): Promise<void>;
  /** From now on these values do not appear in the log. */
  redact(values: readonly string[]): void;
  /** The checkout, with the hooks of the repository. */
  folder: string;
  /** Where the next process begins. */
  cwd: string;
  /** Those that were fetched, then those of the repository. */
  plugins: readonly ReadyPlugin[];
}

export const hasFailed = ({ code }: Exit): boolean => code !== 0;

/** Makes the directory for what the runner writes, if it does not exist yet. */
export const makeScratch = ({ spec }: Pick<JobRun, 'spec'>): void =>
  void mkdirSync(spec.scratch, { recursive: true, mode: 0o700 });

/** Begins a part of the log. */
export async function beginPart(job: JobRun, title: string, command: string): Promise<void> {
  await job.say(`~~~ ${title}`, `\x1b[90m$\x1b[0m ${command}`);
}

/** Says in the agents' words what failed, and opens the part of the log it failed in. */
export const complain = (job: JobRun, sentence: string): Promise<void> =>
  job.say('^^^ +++', `\x1b[31m🚨 Error: ${sentence}\x1b[0m`);
