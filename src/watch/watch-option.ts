import type { Resource } from '../api/resources/resource.ts';
import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import { viewKind } from './view.ts';
import type { WatchInput } from './watch-flags.ts';
import type { BuildTarget } from './target.ts';
import { watchBuilds } from './watch-builds.ts';

/** Exit code 2 if the flags cannot be combined. Must be called before anything is sent. */
export function checkWatchOption({ watch, timeout }: WatchInput, { out, settings }: Context): void {
  if (timeout !== undefined && !watch) throw usageError('--timeout requires --watch');
  if (watch && settings.fields !== undefined && viewKind(out) === 'json') {
    throw usageError('--fields does not apply to the events that --watch prints');
  }
}

/** Prints the response unless JSON events will report it. Returns undefined under `--dry-run`. */
export const changeForWatch = <T extends object>(
  resource: Resource,
  send: () => Promise<T>,
  { watch }: WatchInput,
  { out, settings }: Context,
  verb?: string,
): Promise<T | undefined> =>
  watch && viewKind(out) === 'json' && !settings.dryRun
    ? send()
    : out.changed(resource, send, verb);

export const watchAfter = (targets: readonly BuildTarget[], context: Context): Promise<number> =>
  watchBuilds(targets, { wasReached: true }, context);
