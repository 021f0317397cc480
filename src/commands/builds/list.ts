import { build } from '../../api/resources/build.ts';
import type { Handler } from '../../command/command.ts';
import { isFromFlag } from '../../config/setting-origins.ts';
import type { Context } from '../../context.ts';
import { usageError, CictlError } from '../../errors.ts';
import { resolveScope } from '../../refs/resolve.ts';
import { firstOfPages } from '../../api/pages.ts';
import { listFilters, listScopeOf } from './filters.ts';
import type { buildsList } from './index.ts';
import type { BuildFilters, Builds, BuildScope } from '../../api/builds.ts';
import { withTimeLimit } from '../../common/clock.ts';

const defaultLimit = 30;

/** Milliseconds in which `head -1`, once it has its line, is gone. */
const timeToLeave = 10;

/** `cictl builds list [TARGET]`: the widest of the three lists that was asked for. */
export const listBuilds: Handler<typeof buildsList> = async (input, context) => {
  if (input.all && input.limit !== undefined) {
    throw usageError('--all and --limit cannot be used together');
  }
  checkNumbers(input.numbers, context);
  const scope = await resolveScope(context, input.target, listScopeOf(input, context));
  const limit = input.all ? Infinity : checkLimit(input.limit ?? defaultLimit);
  const filters = await listFilters(input, context);
  if (input.all) (await import('../../common/heap.ts')).growSlowly();
  const { builds } = await context.client();
  const perPage = Math.min(limit, 100);
  const pages = builds.list(scope, { ...filters, perPage, whole: input.all });
  const rest = { exists: false };
  const elements = firstOfPages(pages, limit, {
    more: () => void (rest.exists = true),
    beforeOthers: () => context.clock.sleep(timeToLeave, context.signal),
  });
  const reference =
    scope.pipeline !== undefined
      ? undefined
      : scope.org !== undefined
        ? 'pipeline'
        : 'organization';
  await context.out.list(build, elements, {
    empty: 'no builds found',
    ...(reference && { reference }),
    ...(input.numbers && justNumbers),
  });
  if (!rest.exists || !context.out.isTerminal) return;
  await noteMore(builds, scope, filters, limit, context);
};

/** A line each, also on a terminal: what another command takes as BUILD. */
const justNumbers = { format: 'tsv', columns: [{ path: 'number', heading: 'BUILD' }] } as const;

function checkNumbers(isAsked: boolean, { settings }: Context): void {
  if (!isAsked) return;
  const { fields, jq } = settings;
  const others = { '--fields': fields, '--jq': jq, '--output': isFromFlag(settings, 'output') };
  const [other] = Object.entries(others).find(([, given]) => given) ?? [];
  if (other !== undefined) throw usageError(`--numbers and ${other} cannot be used together`);
}

function checkLimit(limit: number): number {
  if (limit < 1) throw usageError('--limit is at least 1');
  return limit;
}

/** Says how many builds there are beside those on the screen, once the list is read. */
async function noteMore(
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
