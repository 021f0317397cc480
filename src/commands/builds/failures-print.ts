/** The forms of the report of `builds failures`. */
import { isFromFlag } from '../../config/is-from-flag.ts';
import type { Context } from '../../context.ts';
import { nextCommands } from '../../triage/next-commands.ts';
import { reportResource as resource, type Report } from '../../triage/report-resource.ts';
import type { Findings } from '../../triage/report.ts';
import { cancelWords } from '../../triage/words.ts';

/** Text on a terminal, a row a failed job as TSV, the whole report as JSON, YAML or Markdown. */
export async function printFailures(
  report: Report,
  { build }: Findings,
  { markdown }: { readonly markdown: boolean },
  context: Context,
): Promise<void> {
  const { out, settings } = context;
  if (markdown) return printMarkdown(report, context);
  if (out.format !== 'table' && out.format !== 'tsv') return out.one(resource, report);
  if (out.format === 'tsv' || settings.fields !== undefined) return printRows(report, context);
  const { reportText } = await import('../../triage/report-text.ts');
  const { color: colors, width } = out;
  await out.write(reportText(report, { colors, width, now: context.clock.now() }));
  if (out.isTerminal) printNext(report, build.jobs ?? [], context);
}

async function printMarkdown(report: Report, { out }: Context): Promise<void> {
  const { reportMarkdown } = await import('../../triage/markdown.ts');
  await out.write(reportMarkdown(report));
}

/**
 * Each row holds its own failure in place of the list, and the rest of the report besides. That the
 * build was canceled is in no row, so that it is said beside them.
 */
async function printRows(report: Report, { out, messages }: Context): Promise<void> {
  const rows = report.failures.map((failure) => ({ ...report, failures: failure }));
  const canceled = cancelWords(report);
  await out.list(resource, rows, { empty: ['no failed jobs', ...canceled].join('; ') });
  if (rows.length > 0) canceled.forEach((words) => messages.note(words));
  for (const { fault: error } of report.failures) if (error !== null) messages.warn(error);
  if (report.omitted.failures > 0)
    messages.note(`only the first ${rows.length} failed jobs are shown; --max-jobs shows more`);
}

function printNext(
  report: Report,
  jobs: NonNullable<Findings['build']['jobs']>,
  { settings, messages }: Context,
): void {
  const commands = nextCommands(report, {
    org: isFromFlag(settings, 'org') ? undefined : settings.org,
    profile: isFromFlag(settings, 'profile') ? settings.profile : undefined,
    jobs: jobs.filter(({ retried }) => retried !== true),
  });
  messages.note(['', 'next:', ...commands.map((line) => `  ${line}`)].join('\n'));
}
