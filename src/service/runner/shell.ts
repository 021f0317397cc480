/** The shell of a job: `bash -e -c` in a session of its own. */
import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { delimiter } from 'node:path';
import type { JobSpec } from '../runner-port.ts';
import { processGroupOf } from './process-group.ts';
import type { OutputPipe } from './output-pipe.ts';
import type { Stopper } from './stopper.ts';
import type { Timers } from './timers.ts';

export interface ShellOptions {
  /** Path of bash. */
  readonly bash: string;
  readonly host: Readonly<Record<string, string>>;
  readonly timers: Timers;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Starts the shell; resolves when it has ended, though others may still hold its pipe. */
export function startShell(
  spec: JobSpec,
  shellOptions: ShellOptions,
  pipe: OutputPipe,
  stopper: Stopper,
): Promise<Exit> {
  const child = spawn(shellOptions.bash, ['-e', '-c', spec.command], {
    cwd: spec.cwd,
    env: environmentOf(spec, shellOptions.host),
    detached: true,
    stdio: ['ignore', pipe.input, pipe.input],
  });
  pipe.closeInput();
  if (child.pid !== undefined) stopper.attach(processGroupOf(child.pid, spec.jobId));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

function environmentOf(
  spec: JobSpec,
  host: Readonly<Record<string, string>>,
): Record<string, string> {
  const env: Record<string, string> = { ...host, ...spec.env, ...spec.hiddenEnv };
  env['PATH'] = [...spec.path, env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'].join(delimiter);
  return env;
}

/** The system's own error for a missing folder names bash in its place. */
export async function checkFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new Error(`there is no folder ${folder}`);
}
