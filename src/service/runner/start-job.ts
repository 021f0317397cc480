/** One job from its start to its outcome. */
import type { Socket } from 'node:net';
import type { Outcome, Running, JobSpec } from '../runner-port.ts';
import { openJobLog, type JobLog } from './job-log.ts';
import { openOutputPipe } from './output-pipe.ts';
import { secretsOf } from './secrets.ts';
import { checkFolder, startShell, type Exit, type ShellOptions } from './shell.ts';
import { createStopper, type StopReason, type Stopper } from './stopper.ts';
import type { Timers } from './timers.ts';

/** Milliseconds that a background child may hold the pipe after the shell has ended. */
const drainTime = 1000;
/** Milliseconds between TERM and KILL for what the job left behind. */
const sweepTime = 1000;

export function startJob(spec: JobSpec, shellOptions: ShellOptions): Running {
  const stopper = createStopper(shellOptions.timers);
  return {
    done: runWithLog(spec, shellOptions, stopper).catch(() => failed),
    redact: () => undefined,
    environment: { get: () => spec.env, set: () => undefined, unset: () => undefined },
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

async function runWithLog(
  spec: JobSpec,
  shellOptions: ShellOptions,
  stopper: Stopper,
): Promise<Outcome> {
  const log = await openJobLog(spec.logFile, secretsOf(spec), shellOptions.timers.now);
  try {
    for (const line of spec.preamble) await log.line(line);
    const outcome = await run(spec, shellOptions, stopper, log);
    await log.close();
    return outcome;
  } catch (error) {
    // Written to the log where that is possible; it is not when the disk is full.
    await log
      .line(`cictl: the job could not be run: ${asError(error).message}`)
      .catch(() => undefined);
    await log.close().catch(() => undefined);
    return failed;
  }
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));

async function run(
  spec: JobSpec,
  shellOptions: ShellOptions,
  stopper: Stopper,
  log: JobLog,
): Promise<Outcome> {
  await checkFolder(spec.cwd);
  const pipe = await openOutputPipe();
  try {
    // Stopped before it began: nothing of it may run.
    if (stopper.reason !== null)
      return outcomeOf({ code: null, signal: 'SIGTERM' }, stopper.reason);
    const exited = startShell(spec, shellOptions, pipe, stopper);
    const copied = copy(pipe.output, log, stopper);
    const cancelTimer = limit(spec, shellOptions.timers, stopper);
    const exit = await exited.finally(cancelTimer);
    const { reason } = stopper;
    await settle(copied, stopper, shellOptions.timers);
    pipe.output.destroy();
    const writeError = await copied;
    if (writeError !== undefined) throw writeError;
    await reportLine(spec, log, reason);
    return outcomeOf(exit, reason);
  } finally {
    stopper.detach();
    pipe.output.destroy();
    pipe.closeInput();
  }
}

/** Output to log until the pipe ends; resolves to the error where the log cannot be written. */
async function copy(output: Socket, log: JobLog, stopper: Stopper): Promise<Error | undefined> {
  let writeError: Error | undefined;
  try {
    for await (const chunk of output) {
      await log.write(chunk as Buffer).catch((error: unknown) => (writeError = asError(error)));
      if (writeError !== undefined) break;
    }
  } catch {
    // The pipe was closed while a process still had it open.
  }
  if (writeError !== undefined) stopper.kill('process_run_error');
  return writeError;
}

/** Stops the job when its time is over. */
function limit({ timeout }: JobSpec, timers: Timers, stopper: Stopper): () => void {
  if (timeout === null) return () => undefined;
  return timers.after(timeout, () => stopper.terminate('timeout'));
}

/** Waits for the rest of the output, and for the processes that the shell left behind to end. */
async function settle(copied: Promise<unknown>, stopper: Stopper, timers: Timers): Promise<void> {
  if (stopper.reason !== null) await stopper.waitForExit();
  let cancelTimer = (): void => undefined;
  const late = new Promise<void>((resolve) => (cancelTimer = timers.after(drainTime, resolve)));
  await Promise.race([copied, late]);
  cancelTimer();
  await stopper.sweep(sweepTime);
}

async function reportLine(spec: JobSpec, log: JobLog, reason: StopReason | null): Promise<void> {
  if (reason === 'timeout') {
    await log.line(`cictl: stopped after its timeout of ${(spec.timeout ?? 0) / 1000} s`);
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
