import type { Context } from '../../context.ts';
import { CictlError, toExit } from '../../errors.ts';
import { git } from '../../common/git.ts';
import { isFailedJob } from '../../watch/outcome.ts';
import { watchFiles, type FileWatcher } from './file-watcher.ts';
import type { WatchedRun } from './watch.ts';

/** Runs the pipeline once. With `failed`, runs only those steps if any of them still exist. */
export type RunOnce = (context: Context, failed?: readonly string[]) => Promise<RunOfPart>;

interface RunOfPart extends WatchedRun {
  readonly isPart?: boolean;
}

/**
 * Runs the pipeline, and again whenever files of the checkout change: first the failed steps, then
 * all steps. A change cancels a run in progress. If the user interrupts the wait for a change,
 * resolves to the exit code of the last run.
 */
export async function runOnChanges(
  folder: string,
  once: RunOnce,
  context: Context,
): Promise<number> {
  const files = await watchFiles((await git.root(folder)) ?? folder, context.clock);
  try {
    let failed: readonly string[] = [];
    let exitCode = 0;
    for (;;) {
      const run = await oneRun(
        files,
        (own) => once(own, failed.length > 0 ? failed : undefined),
        context,
      );
      if (run.exitCode === 0 && run.isPart) {
        failed = [];
        continue;
      }
      if (run.names !== undefined) failed = run.names;
      exitCode = run.exitCode;
      if (run.changed === undefined) {
        context.messages.note('waiting for file changes; press Ctrl-C to stop');
        run.changed = await nextChange(files, context);
        if (run.changed === undefined) return exitCode;
      }
      context.messages.note(
        `changed: ${run.changed.slice(0, 3).join(', ')}${run.changed.length > 3 ? ', …' : ''}`,
      );
    }
  } finally {
    files.close();
  }
}

interface OneRun {
  readonly isPart?: boolean;
  readonly exitCode: number;
  /** The names of the failed steps. Undefined if the run was not completed. */
  readonly names?: readonly string[];
  /** The files whose changes canceled the run. */
  changed?: readonly string[] | undefined;
}

async function oneRun(
  files: FileWatcher,
  once: (context: Context) => Promise<RunOfPart>,
  context: Context,
): Promise<OneRun> {
  const ended = new AbortController();
  const changing = new AbortController();
  const signal = AbortSignal.any([context.signal, changing.signal]);
  let changed: readonly string[] | undefined;
  const watching = files
    .next({ isRunning: true, signal: ended.signal })
    .then((paths) => {
      changed = paths;
      changing.abort(new CictlError('interrupted', 'files have changed'));
    })
    .catch(() => undefined);
  // Check as if the run were in progress, so that files written by the last jobs are ignored.
  const lastLook = async (): Promise<string[] | undefined> => {
    await end();
    const paths = await files.look({ isRunning: true });
    return paths.length > 0 ? paths : undefined;
  };
  const end = async (): Promise<void> => {
    ended.abort(new CictlError('interrupted', 'the run has ended'));
    await watching;
  };
  try {
    const { exitCode, build, isPart = false } = await once(withSignal(context, signal));
    changed ??= await lastLook();
    const names = (build.jobs ?? [])
      .filter((job) => isFailedJob(job) && job.retried !== true)
      .map((job) => job.step_key || (job.name ?? ''));
    return { exitCode, isPart, names: [...new Set(names)], changed };
  } catch (error) {
    if (context.signal.aborted || !(error instanceof CictlError)) throw error;
    // Print the error and continue, because the next change may fix a rejected file.
    if (changed === undefined) context.messages.error([error.message, ...error.details].join('\n'));
    return { exitCode: toExit(error), changed };
  } finally {
    await end();
  }
}

/** Returns undefined if the user interrupts the wait. */
const nextChange = (files: FileWatcher, { signal }: Context) =>
  files.next({ isRunning: false, signal }).catch((error: unknown) => {
    if (signal.aborted) return undefined;
    throw error;
  });

/** Inherits from the context instead of copying it, as some fields are created on first use. */
const withSignal = (context: Context, signal: AbortSignal): Context =>
  Object.defineProperty(Object.create(context) as Context, 'signal', { value: signal });
