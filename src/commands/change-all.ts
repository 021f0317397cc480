import type { Context } from '../context.ts';
import { CictlError, toExit } from '../errors.ts';
import { mapConcurrent } from './async.ts';

interface Changes<T, R> {
  readonly width: number;
  readonly nameOf: (item: T) => string;
  /** End of the error message, such as `jobs were not retried`. */
  readonly undone: string;
  readonly change: (item: T) => Promise<R | undefined>;
}

export interface ChangedAll<R> {
  /** The results of successful changes; empty under `--dry-run`. */
  readonly done: readonly R[];
  /** The error that determines the exit code if some changes failed. */
  readonly failure: CictlError | undefined;
}

/** Changes several items. Reports each failure on standard error and continues. */
export async function changeAll<T, R extends object>(
  items: readonly T[],
  { width, nameOf, undone, change }: Changes<T, R>,
  { messages, signal }: Context,
): Promise<ChangedAll<R>> {
  const results = await mapConcurrent(items, width, async (item) => {
    try {
      return await change(item);
    } catch (error) {
      if (!(error instanceof CictlError) || signal.aborted) throw error;
      messages.error([`${nameOf(item)}: ${error.message}`, ...error.details].join('; '));
      return error;
    }
  });
  const failures = results.filter((result) => result instanceof CictlError);
  const done = results.flatMap((result) =>
    result === undefined || result instanceof CictlError ? [] : [result],
  );
  return { done, failure: summarize(failures, `of ${items.length} ${undone}`) };
}

export function summarize(failures: readonly CictlError[], what: string): CictlError | undefined {
  const [worst] = [...failures].sort((one, other) => toExit(other) - toExit(one));
  if (worst === undefined) return undefined;
  return new CictlError(worst.kind, `${failures.length} ${what}`, {
    ...(worst.status !== undefined && { status: worst.status }),
  });
}
