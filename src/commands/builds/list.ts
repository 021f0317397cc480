import { build } from '../../api/resources/build.ts';
import type { Handler } from '../../command/command.ts';
import { isFromFlag } from '../../config/setting-origins.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { resolveScope } from '../../refs/resolve.ts';
import { firstOfPages } from '../../api/pages.ts';
import { listFilters, listScopeOf } from './filters.ts';
import type { buildsList } from './index.ts';

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
  const { noteMore } = await import('./note-more.ts');
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
