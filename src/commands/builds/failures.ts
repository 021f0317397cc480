import { flagName, type Handler, type Input } from '../../command/command.ts';
import { isFromFlag } from '../../config/setting-origins.ts';
import type { BuildRef } from '../../api/refs.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { plain } from '../../render/colors.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { defaultLimits, type Limits } from '../../triage/limits.ts';
import { makeReport, type Findings, paintedLines } from '../../triage/report.ts';
import { withLogCache } from '../../cache/with-log-cache.ts';
import { gatherFailures } from './failures-gather.ts';
import type { buildsFailures } from './index.ts';
import type { Build } from '../../api/resources/build.ts';
import { nextCommands } from '../../triage/next-commands.ts';
import { reportResource as resource, type Report } from '../../triage/report-resource.ts';
import { waitingWords } from '../../triage/report-text.ts';
import { buildWithEmojis, reportWithEmojis } from '../../triage/shown-emojis.ts';
import { cancelWords } from '../../triage/words.ts';
import { commandScope } from '../../watch/command-scope.ts';

type FailuresInput = Input<typeof buildsFailures>;

/**
 * `cictl builds failures [BUILD]`: code 0 when it could be written, whatever the state of the
 * build.
 */
export const showFailures: Handler<typeof buildsFailures> = async (input, context) => {
  const limits = limitsOf(input);
  checkMarkdown(input, context);
  const ref = await chooseBuild(input, context);
  const progress = context.messages.progress('reading the logs of what failed');
  const findings = await gatherFailures(
    ref,
    limits,
    !input.markdown && context.out.format === 'table' && context.out.color !== plain,
    withLogCache(context, { offline: false }),
  ).finally(() => progress.stop());
  await printFailures(makeReport(findings, limits), findings, input, context);
};

/** BUILD, else the newest build of the commit. */
async function chooseBuild({ build, commit }: FailuresInput, context: Context): Promise<BuildRef> {
  if (commit === undefined) return resolveBuild(context, build, { mutates: false });
  if (build !== undefined) throw usageError('BUILD and --commit cannot be used together');
  const { buildOfCommit } = await import('../../refs/commit.ts');
  return buildOfCommit(commit, context);
}

function limitsOf(input: FailuresInput): Limits {
  const keys = Object.keys(defaultLimits) as (keyof Limits)[];
  const limits = keys.map((key): [keyof Limits, number] => {
    const value = input[key] ?? defaultLimits[key];
    const least = key === 'lines' ? 0 : 1;
    if (value < least) throw usageError(`--${flagName(key)} is at least ${least}, not ${value}`);
    return [key, value];
  });
  return Object.fromEntries(limits) as unknown as Limits;
}

/** Markdown overrides an output format of the profile or the environment, not one of a flag. */
function checkMarkdown({ markdown }: FailuresInput, { settings }: Context): void {
  if (!markdown) return;
  const { fields, jq, output } = settings;
  if (jq !== undefined) throw usageError('--markdown and --jq cannot be used together');
  if (fields !== undefined) throw usageError('--markdown and --fields cannot be used together');
  if (isFromFlag(settings, 'output'))
    throw usageError(`--markdown and -o ${output ?? ''} cannot be used together`);
}

// The forms of the report of `builds failures`.

/** Text on a terminal, a row a failed job as TSV, the whole report as JSON, YAML or Markdown. */
async function printFailures(
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
