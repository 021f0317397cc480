import type { Context } from '../../context.ts';
import { CictlError, toExit } from '../../errors.ts';
import { git } from '../../common/git.ts';
import { isFailedJob } from '../../watch/outcome.ts';
import { watchFiles, type FileWatcher } from './file-watcher.ts';
import type { WatchedRun } from './watch.ts';

/** Runs the pipeline once; with names, these steps alone where there still are any of them. */
export type RunOnce = (context: Context, failed?: readonly string[]) => Promise<RunOfPart>;

interface RunOfPart extends WatchedRun {
  readonly isPart?: boolean;
}

/**
 * Runs, and runs again whenever files of the checkout change: what has failed first, then the whole.
 * A run that is under way is canceled. Resolves, when it is interrupted while it waits, to the exit
 * code of the last run.
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
        context.messages.note('waiting for changes of files; Ctrl-C ends it');
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
  /** Of what failed; undefined where the run did not get to its end. */
  readonly names?: readonly string[];
  /** Files whose change has ended the run. */
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
  // What jobs have written last is theirs too.
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
    // A file that is refused now may be mended by the next change.
    if (changed === undefined) context.messages.error([error.message, ...error.details].join('\n'));
    return { exitCode: toExit(error), changed };
  } finally {
    await end();
  }
}

/** Undefined where the user has ended the wait. */
const nextChange = (files: FileWatcher, { signal }: Context) =>
  files.next({ isRunning: false, signal }).catch((error: unknown) => {
    if (signal.aborted) return undefined;
    throw error;
  });

/** No copy: what a context makes only when it is asked for stays unmade. */
const withSignal = (context: Context, signal: AbortSignal): Context =>
  Object.defineProperty(Object.create(context) as Context, 'signal', { value: signal });
