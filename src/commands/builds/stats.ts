import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { resolveScope } from '../../refs/resolve.ts';
import { collectBuildStats } from '../../pages/stats/collect-build-stats.ts';
import { statsResource } from '../../stats/stats-resource.ts';
import type { buildsStats } from './index.ts';
import { checkOutFile, dataFlag } from '../out-file.ts';
import { listFilters } from './filters.ts';
import { listScopeOf } from './list-scope.ts';
import { readBuilds } from './stats-builds.ts';
import { chooseBranches } from './stats-branches.ts';

type StatsInput = Input<typeof buildsStats>;

/** `cictl builds stats [TARGET]`: numbers over the newest finished builds. */
export const showStats: Handler<typeof buildsStats> = async (input, context) => {
  const limit = limitOf(input);
  checkHtml(input, context);
  await context.out.check(statsResource);
  const scope = await resolveScope(context, input.target, listScopeOf(input, context));
  const filters = { ...(await listFilters(input, context)), includeRetriedJobs: true };
  if (limit > 100) (await import('../../heap.ts')).growSlowly();
  const { builds } = await context.client();
  const collector = collectBuildStats();
  const branches = await chooseBranches(builds, scope, filters);
  const onGivenUp = (read: number): void =>
    context.messages.note(`looked at the newest ${read} builds alone; all of them: --all`);
  const progress = context.messages.progress('reading builds');
  const choice = { filters, branches, limit, onGivenUp };
  try {
    for await (const build of readBuilds(builds, scope, choice)) {
      collector.add(build);
      if (collector.count % 100 === 0) progress.update(`reading builds (${collector.count})`);
    }
  } finally {
    progress.stop();
  }
  const { org: organization = null, pipeline = null } = scope;
  const stats = collector.stats({ organization, pipeline, branches: branches.names });
  const { printStats, writeStats } = await import('./stats-print.ts');
  await (input.html === undefined
    ? printStats(stats, context)
    : writeStats(stats, input.html, context));
};

function limitOf({ all, limit }: StatsInput): number {
  if (all && limit !== undefined) throw usageError('--all and --limit cannot be used together');
  if (limit !== undefined && limit < 1) throw usageError('--limit is at least 1');
  return all ? Infinity : (limit ?? 100);
}

function checkHtml({ html }: StatsInput, context: Context): void {
  if (html === undefined) return;
  checkOutFile('--html', html);
  const other = dataFlag(context);
  if (other !== undefined) throw usageError(`--html and ${other} cannot be used together`);
}
