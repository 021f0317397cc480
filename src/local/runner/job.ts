/** One job from its start to its outcome. */
import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { delimiter } from 'node:path';
import type { Outcome, Running, Work } from '../work.ts';
import { groupOf } from './group.ts';
import { openJobLog, type JobLog } from './job-log.ts';
import { openOutputPipe, type OutputPipe } from './output-pipe.ts';
import { secretsOf } from './secrets.ts';
import { createStopper, type StopReason, type Stopper } from './stopper.ts';
import type { Timers } from './timers.ts';

export interface World {
  /** Path of bash. */
  readonly bash: string;
  readonly host: Readonly<Record<string, string>>;
  readonly timers: Timers;
}

/** Milliseconds that a background child may hold the pipe after the shell has ended. */
const drainTime = 1000;
/** Milliseconds between TERM and KILL for what the job left behind. */
const sweepTime = 1000;

export function startJob(work: Work, world: World): Running {
  const stopper = createStopper(world.timers);
  return {
    done: runWithLog(work, world, stopper).catch(() => failed),
    cancel: () => stopper.terminate('cancel'),
    kill: () => stopper.kill('agent_stop'),
  };
}

/** The outcome where the job could not be run, or its log not be kept. */
const failed: Outcome = {
  exitStatus: -1,
  signal: null,
  signalReason: 'process_run_error',
  timedOut: false,
};

async function runWithLog(work: Work, world: World, stopper: Stopper): Promise<Outcome> {
  const log = await openJobLog(work.logFile, secretsOf(work), world.timers.now);
  try {
    for (const line of work.preamble) await log.line(line);
    const outcome = await run(work, world, stopper, log);
    await log.close();
    return outcome;
  } catch (error) {
    // Told in the log where that is possible; it is not when the disk is full.
    await log
      .line(`cictl: the job could not be run: ${asError(error).message}`)
      .catch(() => undefined);
    await log.close().catch(() => undefined);
    return failed;
  }
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));

async function run(work: Work, world: World, stopper: Stopper, log: JobLog): Promise<Outcome> {
  await checkFolder(work.cwd);
  const pipe = await openOutputPipe();
  try {
    // Stopped before it began: nothing of it may run.
    if (stopper.reason !== null)
      return outcomeOf({ code: null, signal: 'SIGTERM' }, stopper.reason);
    const exited = startShell(work, world, pipe, stopper);
    const copied = copy(pipe.output, log, stopper);
    const callOff = limit(work, world.timers, stopper);
    const exit = await exited;
    callOff();
    const { reason } = stopper;
    await settle(copied, stopper, world.timers);
    pipe.output.destroy();
    const fault = await copied;
    if (fault !== undefined) throw fault;
    await tell(work, log, reason);
    return outcomeOf(exit, reason);
  } finally {
    pipe.output.destroy();
    pipe.closeInput();
  }
}

/** The system's own error for a missing folder names bash in its place. */
async function checkFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new Error(`there is no folder ${folder}`);
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Starts the shell; resolves when it has ended, though others may still hold its pipe. */
function startShell(work: Work, world: World, pipe: OutputPipe, stopper: Stopper): Promise<Exit> {
  const child = spawn(world.bash, ['-e', '-c', work.command], {
    cwd: work.cwd,
    env: environmentOf(work, world.host),
    detached: true,
    stdio: ['ignore', pipe.input, pipe.input],
  });
  pipe.closeInput();
  if (child.pid !== undefined) stopper.attach(groupOf(child.pid, work.jobId));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

function environmentOf(work: Work, host: Readonly<Record<string, string>>): Record<string, string> {
  const env: Record<string, string> = { ...host, ...work.env, ...work.hiddenEnv };
  env['PATH'] = [...work.path, env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'].join(delimiter);
  return env;
}

/** Output to log until the pipe ends; resolves to the fault where the log cannot be written. */
async function copy(output: Socket, log: JobLog, stopper: Stopper): Promise<Error | undefined> {
  let fault: Error | undefined;
  try {
    for await (const chunk of output) {
      await log.write(chunk as Buffer).catch((error: unknown) => (fault = asError(error)));
      if (fault !== undefined) break;
    }
  } catch {
    // The pipe was let go of while a process still held it.
  }
  if (fault !== undefined) stopper.kill('process_run_error');
  return fault;
}

/** Stops the job when its time is over. */
function limit({ timeout }: Work, timers: Timers, stopper: Stopper): () => void {
  if (timeout === null) return () => undefined;
  return timers.after(timeout, () => stopper.terminate('timeout'));
}

/** Waits for the rest of the output, and for the processes that the shell left behind to end. */
async function settle(copied: Promise<unknown>, stopper: Stopper, timers: Timers): Promise<void> {
  if (stopper.reason !== null) await stopper.gone();
  let callOff = (): void => undefined;
  const late = new Promise<void>((resolve) => (callOff = timers.after(drainTime, resolve)));
  await Promise.race([copied, late]);
  callOff();
  await stopper.sweep(sweepTime);
}

async function tell(work: Work, log: JobLog, reason: StopReason | null): Promise<void> {
  if (reason === 'timeout') {
    await log.line(`cictl: stopped after its timeout of ${(work.timeout ?? 0) / 1000} s`);
  } else if (reason === 'cancel') {
    await log.line('cictl: canceled');
  }
}

const outcomeOf = ({ code, signal }: Exit, reason: StopReason | null): Outcome => ({
  exitStatus: code ?? -1,
  signal,
  signalReason: reason === 'timeout' ? 'cancel' : reason,
  timedOut: reason === 'timeout',
});
