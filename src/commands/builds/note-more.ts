import type { BuildFilters, Builds, BuildScope } from '../../api/builds.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { withTimeLimit } from '../../common/clock.ts';

/** Says how many builds there are beside those on the screen, once the list is read. */
export async function noteMore(
  builds: Builds,
  scope: BuildScope,
  filters: BuildFilters,
  limit: number,
  context: Context,
): Promise<void> {
  // A pager has the screen up to here.
  await context.out.close();
  const total = await countBuilds(builds, scope, filters, context);
  const shown = total === undefined || total <= limit ? `${limit} shown` : `${limit} of ${total}`;
  context.messages.note(`${shown}; more: --limit N, --all`);
}

/** Milliseconds: the list is on the screen, and only its last line waits. */
const longestWait = 5000;

/**
 * How many builds such a list has in all: of pages of one build the number of the last. Undefined
 * where the service does not say it in time.
 */
async function countBuilds(
  builds: Builds,
  scope: BuildScope,
  filters: BuildFilters,
  { clock, signal: ended }: Context,
): Promise<number | undefined> {
  const reason = new CictlError('unreachable', 'the count of the builds took too long');
  const count = async (signal: AbortSignal): Promise<number | undefined> => {
    for await (const { last } of builds.list(scope, { ...filters, perPage: 1, signal }).pages())
      return last;
    return undefined;
  };
  try {
    return await withTimeLimit(count, { ms: longestWait, clock, reason });
  } catch {
    ended.throwIfAborted();
    return undefined;
  }
}
