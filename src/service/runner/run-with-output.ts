/** A job between the two ends of its output. */
import { rm } from 'node:fs/promises';
import type { JobEnvironment, JobSpec, Outcome } from '../runner-port.ts';
import type { JobLog } from './job-log.ts';
import { writeEnvFile } from './env-file.ts';
import { failureLine, outcomeOf, outcomeOfError, reportStop } from './job-outcome.ts';
import { openJobOutput, type JobOutput } from './job-output.ts';
import { ofAgent } from './job-variables.ts';
import type { JobRun, World } from './job-run.ts';
import { copyOutput, type OutputCopy } from './output-copy.ts';
import { runToLast } from './run-to-last.ts';
import type { Stopper } from './stopper.ts';
import type { Timers } from './timers.ts';
import { untilSilent, within } from './until-silent.ts';

/** Milliseconds that a background child may go on after the job has ended. */
const drainTime = 1000;
/** Milliseconds between TERM and KILL for what the job left behind. */
const sweepTime = 1000;

export interface JobParts {
  readonly spec: JobSpec;
  readonly world: World;
  readonly stopper: Stopper;
  readonly variables: JobEnvironment;
}

/** Runs it; resolves when its log is complete. Throws the reason where it cannot be run. */
export async function runWithOutput(parts: JobParts, log: JobLog): Promise<Outcome> {
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
