import type { JobRun } from './job-run.ts';
import type { Exit } from './start-process.ts';
import { runLastHooks, runPhases } from './phases.ts';

export interface Ended {
  readonly exit: Exit;
  /** Why it could not be run. */
  readonly error?: unknown;
}

/** All phases, and the last hooks whatever came before. */
export async function runToLast(job: JobRun): Promise<Ended> {
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
