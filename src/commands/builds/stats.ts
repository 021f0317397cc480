import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { resolveScope } from '../../refs/resolve.ts';
import { collectBuildStats } from '../../pages/timeline.ts';
import { statsResource } from '../../stats/stats-resource.ts';
import type { buildsStats } from './index.ts';
import { checkOutFile, dataFlag } from '../output-flags.ts';
import { listFilters, listScopeOf } from './filters.ts';
import type { BuildFilters, Builds, BuildScope } from '../../api/builds.ts';
import { type Build, build } from '../../api/resources/build.ts';
import { assertResource } from '../../api/resources/check.ts';
import { isFinished } from '../../stats/count-runs.ts';

type StatsInput = Input<typeof buildsStats>;

/** `cictl builds stats [TARGET]`: numbers over the newest finished builds. */
export const showStats: Handler<typeof buildsStats> = async (input, context) => {
  const limit = limitOf(input);
  checkHtml(input, context);
  await context.out.check(statsResource);
  const scope = await resolveScope(context, input.target, listScopeOf(input, context));
  const filters = { ...(await listFilters(input, context)), includeRetriedJobs: true };
  if (limit > 100) (await import('../../common/heap.ts')).growSlowly();
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

/** Of which branches builds are counted. */
interface Branches {
  /** What the service filters by; empty where it cannot, or where all count. */
  readonly asked: readonly string[];
  /** Whether a build that came counts. */
  includes(build: Build): boolean;
  /** Those of the builds that counted, as far as it was chosen for the user; empty for all. */
  readonly names: readonly string[];
}

/**
 * Those that the user names; else, where no commit says more, the default branch: that of the
 * pipeline, or of each pipeline.
 */
async function chooseBranches(
  builds: Builds,
  scope: BuildScope,
  { branch = [], commit = [] }: BuildFilters,
): Promise<Branches> {
  if (branch.length > 0 || commit.length > 0) return fixed(branch);
  if (scope.pipeline === undefined) return defaultOfEach();
  for await (const newest of builds.list(scope, { perPage: 1 }))
    return fixed([newest.pipeline?.default_branch ?? []].flat());
  return fixed([]);
}

const fixed = (names: readonly string[]): Branches => ({
  asked: names,
  includes: () => true,
  names,
});

function defaultOfEach(): Branches {
  const names = new Set<string>();
  return {
    asked: [],
    includes({ branch, pipeline }) {
      const isDefault = branch === (pipeline?.default_branch ?? branch);
      if (isDefault && typeof branch === 'string') names.add(branch);
      return isDefault;
    },
    get names() {
      return [...names].sort();
    },
  };
}

interface BuildChoice {
  readonly filters: BuildFilters;
  readonly branches: Branches;
  /** How many; `Infinity` for all. */
  readonly limit: number;
  /** Fewer may have been found than there are: `read` builds were looked at. */
  readonly onGivenUp: (read: number) => void;
}

/**
 * The newest finished builds, or those in the states that were asked for. A long list is read without
 * a filter of the state: builds leave such a list and join it while it is read, so that its pages
 * could only be fetched one after another.
 */
async function* readBuilds(
  builds: Builds,
  scope: BuildScope,
  { filters, branches, limit, onGivenUp }: BuildChoice,
): AsyncGenerator<Build> {
  const { state = [], ...others } = filters;
  const isOne = limit <= perPage && scope.pipeline !== undefined;
  const states = state.length > 0 ? state : isOne || isSelective(others) ? ['finished'] : [];
  const query = { ...others, state: states, branch: branches.asked };
  const isWanted = (one: Build): boolean =>
    (state.length > 0 || isFinished(one)) && branches.includes(one);
  const pages = builds.list(scope, {
    ...query,
    perPage: isOne ? limit : perPage,
    whole: !isOne,
  });
  let [read, left] = [0, limit];
  for await (const { items } of pages.pages()) {
    for (const one of items) assertResource(build, one);
    const wanted = items.filter(isWanted).slice(0, left);
    yield* wanted;
    left -= wanted.length;
    read += items.length;
    if (left <= 0) return;
    if (read >= mostRead(limit)) {
      onGivenUp(read);
      return;
    }
  }
}

const perPage = 100;

/** What the service finds few of is not searched for here. */
const isSelective = ({ commit = [], finishedFrom, metaData = {} }: BuildFilters): boolean =>
  commit.length > 0 || finishedFrom !== undefined || Object.keys(metaData).length > 0;

/** Of an organization whose builds are nearly all of other branches, not every one is read. */
const mostRead = (limit: number): number => Math.max(1000, limit * 10);
