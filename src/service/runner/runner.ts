/**
 * Runs jobs as processes on this machine, in the phases of the public agent. Each hook and the
 * command has its own session, with a terminal as standard input and both output streams. Without a
 * terminal, the output streams are one pipe and standard input is /dev/null.
 */
import { rm } from 'node:fs/promises';
import { findBash, findProgram } from '../../common/find-bash.ts';
import { PluginError } from '../plugins/plugin.ts';
import type { JobEnvironment, JobSpec, Outcome, Runner, Running } from '../runner-port.ts';
import { gitVariables, hostVariables } from './host-variables.ts';
import { openJobLog, type JobLog } from './job-log.ts';
import { createPipes, openJobOutput, type JobOutput } from './job-output.ts';
import type { JobRun, PluginSource, World } from './job-run.ts';
import { agentVariables, createVariables, secretsOf, writeEnvFile } from './job-variables.ts';
import { copyOutput, untilSilent, within, type OutputCopy } from './output-copy.ts';
import { runLastHooks, runPhases } from './phases.ts';
import { killLeftovers } from './processes.ts';
import type { Exit } from './start-process.ts';
import { createStarter } from './starter.ts';
import {
  createProcessGroup,
  createStopper,
  systemTimers,
  type Stopper,
  type StopReason,
  type Timers,
} from './stopper.ts';

export interface RunnerOptions {
  /** This machine's environment. Jobs get the variables in `hostVariables`. */
  readonly host: Readonly<Record<string, string | undefined>>;
  readonly timers?: Timers;
  /** Required for jobs with plugins. */
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

interface Parts {
  readonly spec: JobSpec;
  readonly world: World;
  readonly stopper: Stopper;
  readonly variables: JobEnvironment;
  /** Secrets that were added before the log was opened. */
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
    // Writing to the log fails if the disk is full.
    await log.line(failureLine(error)).catch(() => undefined);
    await log.close().catch(() => undefined);
    return failed;
  }
}

async function runWithOutput(parts: Parts, log: JobLog): Promise<Outcome> {
  const { spec, world, stopper } = parts;
  const output = await openJobOutput(spec.tty, world.openPipe);
  try {
    writeEnvFile(spec, Object.keys(agentVariables));
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
  parts: Parts,
  log: JobLog,
  { input }: JobOutput,
  copy: OutputCopy,
): Promise<Outcome> {
  const { spec, world, stopper, variables } = parts;
  const { timers } = world;
  const { timeout, cwd } = spec;
  const sync = (): Promise<void> => untilSilent(timers, copy);
  const job: JobRun = {
    ...{ spec, world, stopper, variables, log, input, cwd },
    ...{ folder: cwd, plugins: [] },
    redact: (values) => log.redact(values),
    async say(...lines) {
      await sync();
      if (copy.error !== undefined) throw copy.error;
      for (const line of lines) await log.line(line);
    },
  };
  const cancelTimer =
    timeout === null ? undefined : timers.after(timeout, () => stopper.terminate('timeout'));
  const ended = await runToLast(job).finally(cancelTimer);
  const { reason } = stopper;
  await settle(stopper, timers, input);
  await sync();
  if (copy.error !== undefined) throw copy.error;
  if (ended.error !== undefined && reason === null) await log.line(failureLine(ended.error));
  if (reason === 'timeout')
    await log.line(`cictl: stopped after its timeout of ${(timeout ?? 0) / 1000} s`);
  if (reason === 'cancel') await log.line('cictl: canceled');
  return ended.error === undefined || reason !== null
    ? outcomeOf(ended.exit, reason)
    : outcomeOfError(ended.error);
}

const drainTime = 1000;
/** Milliseconds between TERM and KILL for background processes. */
const sweepTime = 1000;

async function settle(stopper: Stopper, timers: Timers, input: number): Promise<void> {
  if (!stopper.isAnyLeft()) return;
  await within(timers, drainTime, stopper.waitForSilence(input));
  await stopper.sweep(sweepTime);
}

interface Ended {
  readonly exit: Exit;
  readonly error?: unknown;
}

async function runToLast(job: JobRun): Promise<Ended> {
  const ended = await attempt(() => runPhases(job));
  if (job.stopper.reason !== null) await job.stopper.waitForExit();
  if (!job.stopper.beginLast()) return ended;
  const last = await attempt(() => runLastHooks(job));
  if (last.error !== undefined) return last;
  return last.exit.code === 0 ? ended : { ...ended, exit: last.exit };
}

const attempt = (run: () => Promise<Exit | null>): Promise<Ended> =>
  run().then(
    (exit) => ({ exit: exit ?? { code: 0, signal: null } }),
    (error: unknown) => ({ exit: { code: null, signal: 'SIGTERM' }, error }),
  );

/** Outcome if the job could not be run or its log could not be written. */
const failed: Outcome = {
  exitStatus: -1,
  signal: null,
  signalReason: 'process_run_error',
  timedOut: false,
};

/** A plugin error has git's exit status; -1 would match the retry rules for lost agents. */
const outcomeOfError = (error: unknown): Outcome =>
  error instanceof PluginError
    ? { ...failed, exitStatus: error.exitStatus, signalReason: null }
    : failed;

const failureLine = (error: unknown): string =>
  `cictl: cannot run the job: ${error instanceof Error ? error.message : String(error)}`;

const outcomeOf = ({ code, signal }: Exit, reason: StopReason | null): Outcome => ({
  exitStatus: code ?? -1,
  signal,
  signalReason: reason === 'timeout' ? 'cancel' : reason,
  timedOut: reason === 'timeout',
});
