import type { BuildFilters, Builds, BuildScope } from '../../api/builds.ts';
import { type Build, build } from '../../api/resources/build.ts';
import { assertResource } from '../../api/resources/check.ts';
import type { Handler, Input } from '../../command/command.ts';
import { cleanLine } from '../../common/untrusted-text.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { collectBuildStats } from '../../pages/timeline.ts';
import { resolveScope } from '../../refs/resolve.ts';
import { emojisFor } from '../../render/shortcodes.ts';
import { wrapLine } from '../../render/width.ts';
import { isFinished } from '../../stats/count-runs.ts';
import {
  percent,
  statsResource,
  type Example,
  type FlakyStep,
  type Stats,
} from '../../stats/stats-resource.ts';
import { once } from '../async.ts';
import { checkOutFile, dataFlag, standardOutput } from '../output-flags.ts';
import { writeWholeFile } from '../write-whole-file.ts';
import { listFilters, listScopeOf } from './filters.ts';
import type { buildsStats } from './index.ts';

/** Prints statistics about the newest finished builds. */
export const showStats: Handler<typeof buildsStats> = async (input, context) => {
  const limit = checkFlags(input, context);
  await context.out.check(statsResource);
  const scope = await resolveScope(context, input.target, listScopeOf(input, context));
  const filters = { ...(await listFilters(input, context)), includeRetriedJobs: true };
  if (limit > 100) (await import('../../common/v8.ts')).growSlowly();
  const { builds } = await context.client();
  const collector = collectBuildStats();
  const branches = await chooseBranches(builds, scope, filters);
  const onLimit = (read: number): void =>
    context.messages.note(`used only the newest ${read} builds; to use all: --all`);
  const progress = context.messages.progress('reading builds');
  try {
    for await (const build of readBuilds(builds, scope, { filters, branches, limit, onLimit })) {
      collector.add(build);
      if (collector.count % 100 === 0) progress.update(`reading builds (${collector.count})`);
    }
  } finally {
    progress.stop();
  }
  const { org: organization = null, pipeline = null } = scope;
  const stats = collector.stats({ organization, pipeline, branches: branches.names });
  await (input.html === undefined
    ? printStats(stats, context)
    : writeStats(stats, input.html, context));
};

/** Checks the flags and returns the number of builds to include. */
function checkFlags({ all, limit, html }: Input<typeof buildsStats>, context: Context): number {
  if (all && limit !== undefined) throw usageError('--all and --limit cannot be used together');
  if (limit !== undefined && limit < 1) throw usageError('--limit must be at least 1');
  checkOutFile('--html', html);
  const other = html === undefined ? undefined : dataFlag(context);
  if (other !== undefined) throw usageError(`--html and ${other} cannot be used together`);
  return all ? Infinity : (limit ?? 100);
}

interface Branches {
  /** The branches to request. Empty for all, or if the service cannot filter by them. */
  readonly filter: readonly string[];
  includes(build: Build): boolean;
  /** For the heading: the given branches or the default branches. Empty for all branches. */
  readonly names: readonly string[];
}

/** The given branches. Without branches or commits, the default branch of each pipeline. */
async function chooseBranches(
  builds: Builds,
  scope: BuildScope,
  { branch = [], commit = [] }: BuildFilters,
): Promise<Branches> {
  if (branch.length > 0 || commit.length > 0) return fixedBranches(branch);
  if (scope.pipeline === undefined) return defaultBranches();
  for await (const newest of builds.list(scope, { perPage: 1 }))
    return fixedBranches([newest.pipeline?.default_branch ?? []].flat());
  return fixedBranches([]);
}

const fixedBranches = (names: readonly string[]): Branches => ({
  filter: names,
  includes: () => true,
  names,
});

function defaultBranches(): Branches {
  const names = new Set<string>();
  return {
    filter: [],
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
  /** Maximum number of builds; `Infinity` for all. */
  readonly limit: number;
  /** Called if the limit was reached after `read` builds, although more builds may match. */
  readonly onLimit: (read: number) => void;
}

/**
 * The newest finished builds, or those in the given states. Long lists are read without a state
 * filter: builds may change state in the meantime, so filtered pages could not be read in parallel.
 */
async function* readBuilds(
  builds: Builds,
  scope: BuildScope,
  { filters, branches, limit, onLimit }: BuildChoice,
): AsyncGenerator<Build> {
  const { state = [], ...others } = filters;
  const isOnePage = limit <= perPage && scope.pipeline !== undefined;
  const states = state.length > 0 ? state : isOnePage || isSelective(others) ? ['finished'] : [];
  const counts = (one: Build): boolean =>
    (state.length > 0 || isFinished(one)) && branches.includes(one);
  const pages = builds.list(scope, {
    ...{ ...others, state: states, branch: branches.filter },
    perPage: isOnePage ? limit : perPage,
    whole: !isOnePage,
  });
  // Limits the number of builds to read, in case nearly all builds are on other branches.
  const mostRead = Math.max(1000, limit * 10);
  let [read, left] = [0, limit];
  for await (const { items } of pages.pages()) {
    for (const one of items) assertResource(build, one);
    const matching = items.filter(counts).slice(0, left);
    yield* matching;
    left -= matching.length;
    read += items.length;
    if (left <= 0) return;
    if (read >= mostRead) {
      onLimit(read);
      return;
    }
  }
}

const perPage = 100;

/** Whether the filters match so few builds that the service should also filter by state. */
const isSelective = ({ commit = [], finishedFrom, metaData = {} }: BuildFilters): boolean =>
  commit.length > 0 || finishedFrom !== undefined || Object.keys(metaData).length > 0;

/** On a terminal, prints sentences and a table; as TSV, rows; otherwise, one document. */
async function printStats(stats: Stats, context: Context): Promise<void> {
  const { out, settings } = context;
  if (out.format !== 'table' && out.format !== 'tsv') return out.one(statsResource, stats);
  const isTable = out.format === 'table' && settings.fields === undefined;
  const rows = rowsOf(stats);
  if (isTable && rows.length > 0) await printLines([headLine(stats)], context);
  await out.list(statsResource, rows, {
    empty: 'no finished builds found',
    ...(isTable && { columns: columnsOf(stats) }),
  });
  if (isTable) await printLines(flakyLines(stats), context);
}

async function printLines(lines: readonly string[], { out }: Context): Promise<void> {
  const writeEmojis = await emojisFor(lines);
  for (const line of lines.flatMap((one) => wrapLine(writeEmojis(one), out.width)))
    await out.line(line);
}

/** Returns a row for all builds, then one per step, without the list of steps. */
function rowsOf(stats: Stats): object[] {
  const { runs, others } = stats.builds;
  if (runs + others === 0) return [];
  const whole = {
    ...{ pipeline: stats.pipeline, step_key: null, name: null, ...stats.builds },
    ...{ critical_share: null, retried: 0, flaky: 0 },
  };
  return [whole, ...stats.steps].map((steps) => ({ ...stats, steps }));
}

const columnsOf = ({ steps }: Stats) =>
  new Set(steps.map(({ pipeline }) => pipeline)).size > 1
    ? [{ path: 'steps.pipeline', heading: 'PIPELINE', priority: 0 }, ...statsResource.columns]
    : statsResource.columns;

/** Example: `web on main: 92% of 100 builds passed (8 failed, 3 other)`. */
function headLine({ organization, pipeline, branches, builds }: Stats): string {
  const name = pipeline ?? organization ?? 'all organizations';
  const on = (branches as readonly string[]).join(', ');
  const { runs, failed, others } = builds;
  const rest = [failed > 0 ? `${failed} failed` : '', others > 0 ? `${others} other` : ''];
  const words = rest.filter((word) => word !== '').join(', ');
  const rate = percent(builds.pass_rate) ?? 'none';
  return cleanLine(
    `${name}${on === '' ? '' : ` on ${on}`}: ${rate} of ${runs} ${runs === 1 ? 'build' : 'builds'} passed${words && ` (${words})`}`,
  );
}

function flakyLines({ flaky }: Stats): string[] {
  if (flaky.length === 0) return [];
  const shown = flaky.slice(0, 10).map((step) => cleanLine(flakyLine(step)));
  const rest = flaky.length - shown.length;
  return [
    '',
    'Flaky steps:',
    ...shown,
    ...(rest > 0 ? [`  and ${rest} more steps; to list all: --json`] : []),
  ];
}

const flakyLine = ({ name, count, examples }: FlakyStep): string =>
  `  ${name}, ${count === 1 ? 'once' : `${count} times`}: ${examples.map(exampleText).join('; ')}`;

const exampleText = ({ by, commit, failed, passed }: Example): string =>
  by === 'retry'
    ? `#${failed.number} retried`
    : `#${failed.number} and #${passed.number} at ${(commit ?? '').slice(0, 7)}`;

async function writeStats(stats: Stats, file: string, context: Context): Promise<void> {
  const { statsDocument } = await import('../../pages/stats/stats-document.tsx');
  const html = context.secrets.redact(statsDocument(stats, context.clock.now()));
  if (file === standardOutput) return context.out.write(html);
  await writeWholeFile(file, once(new TextEncoder().encode(html)), context);
  context.messages.note(`wrote ${file}`);
}
