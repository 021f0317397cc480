import type { BuildFilters, Builds, BuildScope } from '../../api/builds.ts';
import { firstOfPages } from '../../api/pages.ts';
import { build } from '../../api/resources/build.ts';
import type { Handler } from '../../command/command.ts';
import { withTimeLimit } from '../../common/clock.ts';
import { isFromFlag } from '../../config/setting-origins.ts';
import type { Context } from '../../context.ts';
import { CictlError, usageError } from '../../errors.ts';
import { resolveScope } from '../../refs/resolve.ts';
import { listFilters, listScopeOf } from './filters.ts';
import type { buildsList } from './index.ts';

/** Milliseconds in which a program such as `head -1` can close the pipe after the first line. */
const timeToLeave = 10;

export const listBuilds: Handler<typeof buildsList> = async (input, context) => {
  const { out } = context;
  if (input.all && input.limit !== undefined)
    throw usageError('--all and --limit cannot be used together');
  if (input.numbers) checkNumbers(context);
  const scope = await resolveScope(context, input.target, listScopeOf(input, context));
  const limit = input.all ? Infinity : (input.limit ?? 30);
  if (limit < 1) throw usageError('--limit must be at least 1');
  const filters = await listFilters(input, context);
  if (input.all) (await import('../../common/v8.ts')).growSlowly();
  const { builds } = await context.client();
  const perPage = Math.min(limit, 100);
  const pages = builds.list(scope, { ...filters, perPage, whole: input.all });
  const rest = { exists: false };
  const elements = firstOfPages(pages, limit, {
    more: () => void (rest.exists = true),
    beforeOthers: () => context.clock.sleep(timeToLeave, context.signal),
  });
  const scopeName = scope.org === undefined ? 'organization' : 'pipeline';
  await out.list(build, elements, {
    empty: 'no builds found',
    ...(scope.pipeline === undefined && { reference: scopeName }),
    ...(input.numbers && numbersOnly),
  });
  if (!rest.exists || !out.isTerminal) return;
  // A pager covers the screen until it is closed.
  await out.close();
  const total = await countBuilds(builds, scope, filters, context);
  const shown =
    total === undefined || total <= limit ? `${limit} builds` : `${limit} of ${total} builds`;
  context.messages.note(`showing ${shown}; for more: --limit N or --all`);
};

/** One BUILD argument per line, even on a terminal. */
const numbersOnly = { format: 'tsv', columns: [{ path: 'number', heading: 'BUILD' }] } as const;

function checkNumbers({ settings }: Context): void {
  const { fields, jq } = settings;
  const others = { '--fields': fields, '--jq': jq, '--output': isFromFlag(settings, 'output') };
  const [other] = Object.entries(others).find(([, given]) => given) ?? [];
  if (other !== undefined) throw usageError(`--numbers and ${other} cannot be used together`);
}

/** In milliseconds. */
const countTimeout = 5000;

/** The number of builds, derived from the number of the last page. Undefined after a timeout. */
async function countBuilds(
  builds: Builds,
  scope: BuildScope,
  filters: BuildFilters,
  context: Context,
): Promise<number | undefined> {
  const reason = new CictlError('unreachable', 'counting the builds took too long');
  const count = async (signal: AbortSignal): Promise<number | undefined> => {
    for await (const { last } of builds.list(scope, { ...filters, perPage: 1, signal }).pages())
      return last;
    return undefined;
  };
  try {
    return await withTimeLimit(count, { ms: countTimeout, clock: context.clock, reason });
  } catch {
    context.signal.throwIfAborted();
    return undefined;
  }
}
