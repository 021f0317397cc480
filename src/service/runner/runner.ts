/**
 * Runs jobs as processes of this machine, in the phases of the public agent: each hook and the
 * command in a session of its own. Standard input and both output streams are one terminal; without
 * a terminal, standard input is /dev/null and both output streams are one pipe.
 */
import type { Runner } from '../runner-port.ts';
import { findBash, findProgram } from '../../common/find-bash.ts';
import { gitVariables, hostVariables } from './host-variables.ts';
import type { PluginSource, World } from './job-run.ts';
import { killLeftovers } from './leftovers.ts';
import { createPipes } from './output-pipe.ts';
import { createStarter } from './starter.ts';
import { startJob } from './start-job.ts';
import { systemTimers, type Timers } from './timers.ts';

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
