/** One job from its start to its outcome. */
import { mkdir, rm } from 'node:fs/promises';
import { PluginError } from '../plugins/plugin.ts';
import type { JobEnvironment, JobSpec, Outcome, Running } from '../runner-port.ts';
import { openJobLog, type JobLog } from './job-log.ts';
import { openJobOutput, type JobOutput } from './job-output.ts';
import type { Exit, JobRun, World } from './job-run.ts';
import { createVariables } from './job-variables.ts';
import { copyOutput, type OutputCopy } from './output-copy.ts';
import { runLastHooks, runPhases } from './phases.ts';
import { createProcessGroup } from './process-group.ts';
import { secretsOf } from './secrets.ts';
import { createStopper, type StopReason, type Stopper } from './stopper.ts';
import type { Timers } from './timers.ts';

/** Milliseconds that a background child may go on after the job has ended. */
const drainTime = 1000;
/** Milliseconds between TERM and KILL for what the job left behind. */
const sweepTime = 1000;

/** A job while it runs, as this file sees it. */
interface Parts {
  readonly spec: JobSpec;
  readonly world: World;
  readonly stopper: Stopper;
  readonly variables: JobEnvironment;
  /** Those that came before the log was open. */
  readonly redacted: string[];
  log?: JobLog;
}

export function startJob(spec: JobSpec, world: World): Running {
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

/** The outcome where the job could not be run, or its log not be kept. */
const failed: Outcome = {
  exitStatus: -1,
  signal: null,
  signalReason: 'process_run_error',
  timedOut: false,
};

async function runWithLog(parts: Parts): Promise<Outcome> {
  const { spec, world } = parts;
  const log = await openJobLog(spec.logFile, secretsOf(spec), world.timers.now);
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

/** No rule for lost agents is to run a job again that lacks a plugin. */
const outcomeOfError = (error: unknown): Outcome =>
  error instanceof PluginError
    ? { ...failed, exitStatus: error.exitStatus, signalReason: null }
    : failed;

const failureLine = (error: unknown): string =>
  `cictl: the job could not be run: ${error instanceof Error ? error.message : String(error)}`;

async function runWithOutput(parts: Parts, log: JobLog): Promise<Outcome> {
  const { spec, stopper } = parts;
  const output = await openJobOutput(spec.tty, parts.world.openPipe);
  try {
    await mkdir(spec.scratch, { recursive: true, mode: 0o700 });
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
  const sync = (): Promise<void> => within(world.timers, drainTime, copy.sync());
  const job: JobRun = {
    ...{ spec, world, stopper, variables, log, input },
    ...{ folder: spec.cwd, cwd: spec.cwd, plugins: [], hasParts: false },
    redact: (values) => log.redact(values),
    async say(...lines) {
      await sync();
      if (copy.error !== undefined) throw copy.error;
      for (const line of lines) await log.line(line);
    },
  };
  const cancelTimer = limit(spec, world.timers, stopper);
  const ended = await runAll(job).finally(cancelTimer);
  const { reason } = stopper;
  await settle(stopper, world.timers, input);
  await sync();
  if (copy.error !== undefined) throw copy.error;
  if (ended.error !== undefined && reason === null) await log.line(failureLine(ended.error));
  await reportLine(spec, log, reason);
  return ended.error === undefined || reason !== null
    ? outcomeOf(ended.exit, reason)
    : outcomeOfError(ended.error);
}

interface Ended {
  readonly exit: Exit;
  /** Why it could not be run. */
  readonly error?: unknown;
}

/** All phases, and the last hooks whatever came before. */
async function runAll(job: JobRun): Promise<Ended> {
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

/** Until it has settled, at most so long. */
async function within(timers: Timers, ms: number, settled: Promise<void>): Promise<void> {
  let cancelTimer = (): void => undefined;
  const late = new Promise<void>((resolve) => (cancelTimer = timers.after(ms, resolve)));
  await Promise.race([settled, late]);
  cancelTimer();
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
