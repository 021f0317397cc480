/**
 * Runs jobs as processes of this machine: `bash -e -c`, in a session and process group of its own,
 * standard input from /dev/null, both streams in one pipe, so that their order is kept.
 */
import type { Runner } from '../runner-port.ts';
import { killLeftovers } from './process-group.ts';
import { findBash } from '../../find-bash.ts';
import { hostVariables } from './host-variables.ts';
import { startJob } from './start-job.ts';
import { systemTimers, type Timers } from './timers.ts';

export interface RunnerOptions {
  /** Environment of this machine, of which jobs get what `hostVariables` names. */
  readonly host: Readonly<Record<string, string | undefined>>;
  readonly timers?: Timers;
}

export function createRunner({ host, timers = systemTimers }: RunnerOptions): Runner {
  const world = { bash: findBash(host), host: hostVariables(host), timers };
  return { start: (spec) => startJob(spec, world), reap: killLeftovers };
}
