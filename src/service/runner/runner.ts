/**
 * Runs jobs as processes of this machine, in the phases of the public agent: each hook and the
 * command in a session of its own. Standard input and both output streams are one terminal; without
 * a terminal, standard input is /dev/null and both output streams are one pipe.
 */
import { rm } from 'node:fs/promises';
import type { Runner, JobSpec, Outcome, Running, JobEnvironment } from '../runner-port.ts';
import { findBash, findProgram } from '../../common/find-bash.ts';
import { gitVariables, hostVariables } from './host-variables.ts';
import type { PluginSource, World, JobRun } from './job-run.ts';
import { killLeftovers } from './leftovers.ts';
import { createPipes } from './output-pipe.ts';
import { createStarter } from './starter.ts';
import {
  systemTimers,
  type Timers,
  createStopper,
  type Stopper,
  type StopReason,
} from './stopper.ts';
import { openJobLog, type JobLog } from './job-log.ts';
import { createVariables, secretsOf, writeEnvFile, ofAgent } from './job-variables.ts';
import { createProcessGroup } from './process-group.ts';
import { openJobOutput, type JobOutput } from './job-output.ts';
import { copyOutput, type OutputCopy, untilSilent, within } from './output-copy.ts';
import type { Exit } from './start-process.ts';
import { runLastHooks, runPhases } from './phases.ts';
import { PluginError } from '../plugins/plugin.ts';

export interface RunnerOptions {
  /** Environment of this machine, of which jobs get what `hostVariables` names. */
  readonly host: Readonly<Record<string, string | undefined>>;
  readonly timers?: Timers;
  /** Without it a job with plugins cannot be run. */
  readonly plugins?: PluginSource;
}

export function createRunner({ host, timers = systemTimers, plugins }: RunnerOptions): Runner {
  const world: World = {
    bash: findBash(host),
    env: findProgram(host, 'env') ?? '/usr/bin/env',
    host: hostVariables(host),
    git: gitVariables(host),
    timers,
    openPipe: createPipes(),
    startProcess: createStarter(),
    ...(plugins !== undefined && { plugins }),
  };
  return { start: (spec) => startJob(spec, world), reap: killLeftovers };
}

// One job from its start to its outcome.

/** A job while it runs, as this file sees it. */
interface Parts extends JobParts {
  /** Those that came before the log was open. */
  readonly redacted: string[];
  log?: JobLog;
}

function startJob(spec: JobSpec, world: World): Running {
  const stopper = createStopper(createProcessGroup(spec), world.timers);
  const variables = createVariables(spec, world.host);
  const parts: Parts = { spec, world, stopper, variables, redacted: [] };
  return {
    done: runWithLog(parts).catch(() => failed),
    redact(values) {
      parts.redacted.push(...values);
      parts.log?.redact(values);
    },
    environment: variables,
    cancel: () => stopper.terminate('cancel'),
    kill: () => stopper.kill('agent_stop'),
  };
}

async function runWithLog(parts: Parts): Promise<Outcome> {
  const { spec, world } = parts;
  const log = openJobLog(spec, secretsOf(spec), world.timers.now);
  log.redact(parts.redacted);
  parts.log = log;
  try {
    for (const line of spec.preamble) await log.line(line);
    const outcome = await runWithOutput(parts, log);
    await log.close();
    return outcome;
  } catch (error) {
    // Written to the log where that is possible; it is not when the disk is full.
    await log.line(failureLine(error)).catch(() => undefined);
    await log.close().catch(() => undefined);
    return failed;
  }
}

// A job between the two ends of its output.

/** Milliseconds that a background child may go on after the job has ended. */
const drainTime = 1000;
/** Milliseconds between TERM and KILL for what the job left behind. */
const sweepTime = 1000;

interface JobParts {
  readonly spec: JobSpec;
  readonly world: World;
  readonly stopper: Stopper;
  readonly variables: JobEnvironment;
}

/** Runs it; resolves when its log is complete. Throws the reason where it cannot be run. */
async function runWithOutput(parts: JobParts, log: JobLog): Promise<Outcome> {
  const { spec, world, stopper } = parts;
  const output = await openJobOutput(spec.tty, world.openPipe);
  try {
    writeEnvFile(spec, Object.keys(ofAgent));
    if (output.notice !== undefined) await log.line(output.notice);
    const copy = copyOutput(output, log.write, () => stopper.kill('process_run_error'));
    return await runToEnd(parts, log, output, copy);
  } finally {
    stopper.detach();
    output.close();
    await rm(spec.scratch, { recursive: true, force: true });
  }
}

async function runToEnd(
  parts: JobParts,
  log: JobLog,
  { input }: JobOutput,
  copy: OutputCopy,
): Promise<Outcome> {
  const { spec, world, stopper } = parts;
  const sync = (): Promise<void> => untilSilent(world.timers, copy);
  const cancelTimer = limit(spec, world.timers, stopper);
  const ended = await runToLast(newRun(parts, log, input, copy, sync)).finally(cancelTimer);
  const { reason } = stopper;
  await settle(stopper, world.timers, input);
  await sync();
  if (copy.error !== undefined) throw copy.error;
  if (ended.error !== undefined && reason === null) await log.line(failureLine(ended.error));
  await reportStop(spec, log, reason);
  return ended.error === undefined || reason !== null
    ? outcomeOf(ended.exit, reason)
    : outcomeOfError(ended.error);
}

const newRun = (
  parts: JobParts,
  log: JobLog,
  input: number,
  copy: OutputCopy,
  sync: () => Promise<void>,
): JobRun => ({
  ...{ ...parts, log, input },
  ...{ folder: parts.spec.cwd, cwd: parts.spec.cwd, plugins: [] },
  redact: (values) => log.redact(values),
  async say(...lines) {
    await sync();
    if (copy.error !== undefined) throw copy.error;
    for (const line of lines) await log.line(line);
  },
});

/** Stops the job when its time is over. */
function limit({ timeout }: JobSpec, timers: Timers, stopper: Stopper): () => void {
  if (timeout === null) return () => undefined;
  return timers.after(timeout, () => stopper.terminate('timeout'));
}

/** Waits for the processes that still write, and ends what does not end by itself. */
async function settle(stopper: Stopper, timers: Timers, input: number): Promise<void> {
  if (!stopper.isAnyLeft()) return;
  await within(timers, drainTime, stopper.waitForSilence(input));
  await stopper.sweep(sweepTime);
}

interface Ended {
  readonly exit: Exit;
  /** Why it could not be run. */
  readonly error?: unknown;
}

/** All phases, and the last hooks whatever came before. */
async function runToLast(job: JobRun): Promise<Ended> {
  const ended = await attempt(() => runPhases(job));
  if (job.stopper.reason !== null) await job.stopper.waitForExit();
  if (!job.stopper.beginLast()) return ended;
  const last = await attempt(() => runLastHooks(job));
  if (last.error !== undefined) return last;
  return last.exit.code === 0 ? ended : { ...ended, exit: last.exit };
}

const passed: Exit = { code: 0, signal: null };

const attempt = (run: () => Promise<Exit | null>): Promise<Ended> =>
  run().then(
    (exit) => ({ exit: exit ?? passed }),
    (error: unknown) => ({ exit: { code: null, signal: 'SIGTERM' }, error }),
  );

// How a job has ended, and what its log says of that.

/** The outcome where the job could not be run, or its log not be kept. */
const failed: Outcome = {
  exitStatus: -1,
  signal: null,
  signalReason: 'process_run_error',
  timedOut: false,
};

/** No rule for lost agents is to run a job again that lacks a plugin. */
const outcomeOfError = (error: unknown): Outcome =>
  error instanceof PluginError
    ? { ...failed, exitStatus: error.exitStatus, signalReason: null }
    : failed;

const failureLine = (error: unknown): string =>
  `cictl: the job could not be run: ${error instanceof Error ? error.message : String(error)}`;

const outcomeOf = ({ code, signal }: Exit, reason: StopReason | null): Outcome => ({
  exitStatus: code ?? -1,
  signal,
  signalReason: reason === 'timeout' ? 'cancel' : reason,
  timedOut: reason === 'timeout',
});

/** Says why the job was stopped, where nothing else does. */
async function reportStop(
  { timeout }: JobSpec,
  log: JobLog,
  reason: StopReason | null,
): Promise<void> {
  if (reason === 'timeout') {
    await log.line(`cictl: stopped after its timeout of ${(timeout ?? 0) / 1000} s`);
  } else if (reason === 'cancel') {
    await log.line('cictl: canceled');
  }
}
