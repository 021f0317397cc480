import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { resolveScope } from '../../refs/resolve.ts';
import { collectBuildStats } from '../../pages/stats/collect-build-stats.ts';
import {
  statsResource,
  statsResource as resource,
  type Stats,
  type Example,
  type FlakyStep,
  percent,
} from '../../stats/stats-resource.ts';
import type { buildsStats } from './index.ts';
import { checkOutFile, dataFlag, standardOutput } from '../output-flags.ts';
import { listFilters, listScopeOf } from './filters.ts';
import type { BuildFilters, Builds, BuildScope } from '../../api/builds.ts';
import { type Build, build } from '../../api/resources/build.ts';
import { assertResource } from '../../api/resources/check.ts';
import { isFinished } from '../../stats/outcome.ts';
import { writeWholeFile } from '../write-whole-file.ts';
import { emojisFor } from '../../render/shortcodes.ts';
import { wrapLine } from '../../render/width.ts';
import { cleanLine } from '../../common/untrusted-text.ts';

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

// The forms of the numbers of `builds stats`.

/** A table between sentences on a terminal, a row for whole builds and one a step as TSV, else a document. */
async function printStats(stats: Stats, context: Context): Promise<void> {
  const { out, settings } = context;
  const isTable = out.format === 'table' && settings.fields === undefined;
  if (out.format !== 'table' && out.format !== 'tsv') return out.one(resource, stats);
  const rows = rowsOf(stats);
  if (isTable && rows.length > 0) await printLines([headLine(stats)], context);
  await out.list(resource, rows, {
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

/** Each row holds its own step in place of the list, the first one the builds, which have no name. */
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
    ? [{ path: 'steps.pipeline', heading: 'PIPELINE', priority: 0 }, ...resource.columns]
    : resource.columns;

/** Writes the page of the service as a file of its own, or for `-` to standard output. Code 10 where it cannot be written. */
async function writeStats(stats: Stats, file: string, context: Context): Promise<void> {
  const { statsDocument } = await import('../../pages/stats/stats-document.tsx');
  const html = context.secrets.redact(statsDocument(stats, context.clock.now()));
  if (file === standardOutput) return context.out.write(html);
  await writeWholeFile(file, once(new TextEncoder().encode(html)), context);
  context.messages.note(`wrote ${file}`);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

/** `web on main: 92% of 100 builds passed (8 failed, 3 neither)`. */
function headLine({ organization, pipeline, branches, builds }: Stats): string {
  const name = pipeline ?? organization ?? 'all organizations';
  const on = (branches as readonly string[]).join(', ');
  const { runs, failed, others } = builds;
  const rest = [failed > 0 ? `${failed} failed` : '', others > 0 ? `${others} neither` : ''];
  const words = rest.filter((word) => word !== '').join(', ');
  const rate = percent(builds.pass_rate) ?? 'none';
  return cleanLine(
    `${name}${on === '' ? '' : ` on ${on}`}: ${rate} of ${runs} ${runs === 1 ? 'build' : 'builds'} passed${words && ` (${words})`}`,
  );
}

/** A heading and a line a step; nothing where none is flaky. */
function flakyLines({ flaky }: Stats): string[] {
  if (flaky.length === 0) return [];
  const shown = flaky.slice(0, mostShown).map((step) => cleanLine(flakyLine(step)));
  const rest = flaky.length - shown.length;
  return [
    '',
    'Failed, then passed with nothing changed:',
    ...shown,
    ...(rest > 0 ? [`  and ${rest} more steps; --json has all`] : []),
  ];
}

const mostShown = 10;

const flakyLine = ({ name, count, examples }: FlakyStep): string =>
  `  ${name}, ${count === 1 ? 'once' : `${count} times`}: ${examples.map(exampleText).join('; ')}`;

const exampleText = ({ by, commit, failed, passed }: Example): string =>
  by === 'retry'
    ? `#${failed.number} by a retry`
    : `#${failed.number} and #${passed.number} at ${(commit ?? '').slice(0, 7)}`;
