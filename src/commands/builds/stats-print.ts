/** The forms of the numbers of `builds stats`. */
import { standardOutput } from '../output-flags.ts';
import { writeWholeFile } from '../write-whole-file.ts';
import type { Context } from '../../context.ts';
import { emojisFor } from '../../render/shortcodes.ts';
import { wrapLine } from '../../render/width.ts';
import {
  statsResource as resource,
  type Stats,
  type Example,
  type FlakyStep,
  percent,
} from '../../stats/stats-resource.ts';
import { cleanLine } from '../../common/untrusted-text.ts';

/** A table between sentences on a terminal, a row for whole builds and one a step as TSV, else a document. */
export async function printStats(stats: Stats, context: Context): Promise<void> {
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
export async function writeStats(stats: Stats, file: string, context: Context): Promise<void> {
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
