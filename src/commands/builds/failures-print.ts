/** The forms of the report of `builds failures`. */
import type { Build } from '../../api/resources/build.ts';
import type { Context } from '../../context.ts';
import { nextCommands } from '../../triage/next-commands.ts';
import { reportResource as resource, type Report } from '../../triage/report-resource.ts';
import { paintedLines } from '../../triage/painted-lines.ts';
import { waitingWords } from '../../triage/report-head.ts';
import type { Findings } from '../../triage/report.ts';
import { buildWithEmojis, reportWithEmojis } from '../../triage/shown-emojis.ts';
import { cancelWords } from '../../triage/words.ts';
import { commandScope } from '../../watch/command-scope.ts';

/** Text on a terminal, a row a failed job as TSV, the whole report as JSON, YAML or Markdown. */
export async function printFailures(
  report: Report,
  { build, logs }: Findings,
  { markdown, lines }: { readonly markdown: boolean; readonly lines?: number | undefined },
  context: Context,
): Promise<void> {
  const { out, settings } = context;
  if (markdown) return printMarkdown(report, context);
  if (out.format !== 'table' && out.format !== 'tsv') return out.one(resource, report);
  if (out.format === 'tsv' || settings.fields !== undefined)
    return printRows(report, build, context);
  const { reportText } = await import('../../triage/report-text.ts');
  const { color: colors, width } = out;
  const scope = commandScope(context.settings);
  const jobs = (build.jobs ?? []).filter(({ retried }) => retried !== true);
  // Where it waits, the command stands beside what it waits for.
  const isWaiting = report.failures.length === 0 && waitingWords(report, build, scope).length > 0;
  const next = isWaiting ? [] : nextCommands(report, { ...scope, jobs });
  const paint = paintedLines(logs);
  const now = context.clock.now();
  const isWhole = lines !== undefined;
  const options = { colors, width, now, scope, build, paint, next, isWhole };
  const shown = { ...options, build: await buildWithEmojis(build) };
  await out.write(reportText(await reportWithEmojis(report), shown));
}

async function printMarkdown(report: Report, { out }: Context): Promise<void> {
  const { reportMarkdown } = await import('../../triage/markdown.ts');
  await out.write(reportMarkdown(report));
}

/**
 * Each row holds its own failure in place of the list, and the rest of the report besides. That the
 * build was canceled or waits is in no row, so that it is said beside them.
 */
async function printRows(report: Report, build: Build, context: Context): Promise<void> {
  const { out, messages } = context;
  const rows = report.failures.map((failure) => ({ ...report, failures: failure }));
  const words = [...cancelWords(report), ...waitWords(report, build, context)];
  await out.list(resource, rows, { empty: ['no failed jobs', ...words].join('; ') });
  if (rows.length > 0) words.forEach((one) => messages.note(one));
  for (const { fault: error } of report.failures) if (error !== null) messages.warn(error);
  if (report.omitted.failures > 0)
    messages.note(`only the first ${rows.length} failed jobs are shown; --max-jobs shows more`);
}

const waitWords = (report: Report, build: Build, { settings }: Context): string[] =>
  waitingWords(report, build, commandScope(settings)).map(
    ({ step, command }) => `the build waits at "${step}"${command === '' ? '' : `: ${command}`}`,
  );
