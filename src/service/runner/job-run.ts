/** State shared by the phases of a job, and functions to write to its log and run processes. */
import { mkdirSync, statSync } from 'node:fs';
import { attempt } from '../../common/attempt.ts';
import type { PluginRequest, ReadyPlugin } from '../plugins/plugin.ts';
import type { JobEnvironment, JobSpec } from '../runner-port.ts';
import type { JobLog } from './job-log.ts';
import type { OpenPipe } from './job-output.ts';
import type { Exit, StartProcess } from './start-process.ts';
import type { Stopper, Timers } from './stopper.ts';

export interface World {
  readonly bash: string;
  readonly env: string;
  readonly host: Readonly<Record<string, string>>;
  /** Variables for the git commands that fetch plugins and make checkouts. */
  readonly git: Readonly<Record<string, string>>;
  readonly timers: Timers;
  readonly openPipe: OpenPipe;
  readonly startProcess: StartProcess;
  readonly plugins?: PluginSource;
}

export interface PluginSource {
  prepare(request: PluginRequest): Promise<readonly ReadyPlugin[]>;
  /** Directory for fetched plugins. */
  readonly cache: string;
}

export interface JobRun {
  readonly spec: JobSpec;
  readonly world: World;
  readonly variables: JobEnvironment;
  readonly log: JobLog;
  readonly stopper: Stopper;
  readonly input: number;
  /** Adds lines from the runner to the log, after all earlier output. */
  say(...lines: string[]): Promise<void>;
  redact(values: readonly string[]): void;
  /** The checkout, which contains the hooks of the repository. */
  folder: string;
  cwd: string;
  /** Fetched plugins, then plugins in the repository. */
  plugins: readonly ReadyPlugin[];
}

export const hasFailed = ({ code }: Exit): boolean => code !== 0;

export const makeScratch = ({ spec }: Pick<JobRun, 'spec'>): void =>
  void mkdirSync(spec.scratch, { recursive: true, mode: 0o700 });

export const beginPart = (job: JobRun, title: string, command: string): Promise<void> =>
  job.say(`~~~ ${title}`, `\x1b[90m$\x1b[0m ${command}`);

/** Logs a failure in the same words as the agent, and expands this section of the log. */
export const complain = (job: JobRun, sentence: string): Promise<void> =>
  job.say('^^^ +++', `\x1b[31m🚨 Error: ${sentence}\x1b[0m`);

/**
 * Runs a program in its own session. Resolves when the program exits, even if its children are
 * still writing. `more` contains variables for this program only. Throws if it cannot be started.
 */
export async function runProcess(
  job: JobRun,
  file: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
  cwd: string = job.cwd,
): Promise<Exit> {
  // If the directory is missing, the system's error message would blame the program.
  if (attempt(() => statSync(cwd).isDirectory()) !== true)
    throw new Error(`the directory ${cwd} does not exist`);
  for (const text of args) {
    const size = Buffer.byteLength(text);
    if (size > longest)
      throw new Error(`an argument is ${size} bytes, which is more than the system allows`);
  }
  const env = await environmentFor(job, more);
  if (!job.stopper.allowsStart) return { code: null, signal: 'SIGTERM' };
  const { world, spec, input, stopper } = job;
  const wanted = { file, args, cwd, env, output: input, logFile: spec.logFile };
  const { id, ended } = await world.startProcess(wanted).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'E2BIG') throw error;
    throw new Error('its command and variables together are larger than the system allows');
  });
  stopper.attach(id);
  return ended;
}

/** Maximum size of an argument or of `NAME=value` in bytes, without the final zero (Linux). */
const longest = 131_071;

export const fits = (text: string): boolean => Buffer.byteLength(text) <= longest;

/** Omits and logs BUILDKITE variables that are too long. Throws if any other variable is too long. */
async function environmentFor(
  job: JobRun,
  more: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const env: Record<string, string> = { ...job.variables.get(), ...more };
  const tooLong = Object.keys(env).filter((name) => !fits(`${name}=${env[name] ?? ''}`));
  for (const name of tooLong) {
    const size = `${Buffer.byteLength(env[name] ?? '')} bytes, which is more than the system allows`;
    if (!name.startsWith('BUILDKITE_')) throw new Error(`the variable ${name} is ${size}`);
    await job.say(`cictl: omitted the variable ${name}: it is ${size}`);
    job.variables.unset([name]);
  }
  const left = Object.entries(env).filter(([name]) => !tooLong.includes(name));
  return tooLong.length === 0 ? env : Object.fromEntries(left);
}
