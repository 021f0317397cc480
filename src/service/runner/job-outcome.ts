/** How a job has ended, and what its log says of that. */
import { PluginError } from '../plugins/plugin.ts';
import type { JobSpec, Outcome } from '../runner-port.ts';
import type { JobLog } from './job-log.ts';
import type { Exit } from './start-process.ts';
import type { StopReason } from './stopper.ts';

/** The outcome where the job could not be run, or its log not be kept. */
export const failed: Outcome = {
  exitStatus: -1,
  signal: null,
  signalReason: 'process_run_error',
  timedOut: false,
};

/** No rule for lost agents is to run a job again that lacks a plugin. */
export const outcomeOfError = (error: unknown): Outcome =>
  error instanceof PluginError
    ? { ...failed, exitStatus: error.exitStatus, signalReason: null }
    : failed;

export const failureLine = (error: unknown): string =>
  `cictl: the job could not be run: ${error instanceof Error ? error.message : String(error)}`;

export const outcomeOf = ({ code, signal }: Exit, reason: StopReason | null): Outcome => ({
  exitStatus: code ?? -1,
  signal,
  signalReason: reason === 'timeout' ? 'cancel' : reason,
  timedOut: reason === 'timeout',
});

/** Says why the job was stopped, where nothing else does. */
export async function reportStop(
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
