import type { BuildRef } from '../../api/refs.ts';
import type { Build } from '../../api/resources/build.ts';
import { withLogCache } from '../../cache/with-log-cache.ts';
import { flagName, type Handler, type Input } from '../../command/command.ts';
import { isFromFlag } from '../../config/setting-origins.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { plain } from '../../render/colors.ts';
import { defaultLimits, type Limits } from '../../triage/limits.ts';
import { nextCommands, waitingWords } from '../../triage/next-commands.ts';
import { reportResource as resource, type Report } from '../../triage/report-resource.ts';
import { makeReport, type Findings, paintedLines } from '../../triage/report.ts';
import { buildWithEmojis, reportWithEmojis } from '../../triage/shown-emojis.ts';
import { cancelWords } from '../../triage/words.ts';
import { commandScope } from '../../watch/command-scope.ts';
import { gatherFailures } from './failures-gather.ts';
import type { buildsFailures } from './index.ts';

type FailuresInput = Input<typeof buildsFailures>;

/** Exits with 0 if the report could be written, regardless of the state of the build. */
export const showFailures: Handler<typeof buildsFailures> = async (input, context) => {
  const limits = limitsOf(input);
  checkMarkdown(input, context);
  const ref = await chooseBuild(input, context);
  const progress = context.messages.progress('reading the logs of failed jobs');
  const colors = !input.markdown && context.out.format === 'table' && context.out.color !== plain;
  const cached = withLogCache(context, { offline: false });
  const findings = await gatherFailures(ref, limits, colors, cached).finally(() => progress.stop());
  await printReport(makeReport(findings, limits), findings, input, context);
};

/** With `--commit`, chooses the newest build of that commit. */
async function chooseBuild({ build, commit }: FailuresInput, context: Context): Promise<BuildRef> {
  if (commit === undefined) return resolveBuild(context, build, { mutates: false });
  if (build !== undefined) throw usageError('BUILD and --commit cannot be used together');
  const { buildOfCommit } = await import('../../refs/commit.ts');
  return buildOfCommit(commit, context);
}

function limitsOf(input: FailuresInput): Limits {
  const limits: Record<keyof Limits, number> = { ...defaultLimits };
  for (const key of Object.keys(defaultLimits) as (keyof Limits)[]) {
    const flag = key === 'maxCauses' && input.maxCauses === undefined ? 'maxJobs' : key;
    const value = input[flag] ?? defaultLimits[key];
    const least = key === 'lines' ? 0 : 1;
    if (value < least)
      throw usageError(`--${flagName(flag)} must be at least ${least}, not ${value}`);
    limits[key] = value;
  }
  return limits;
}

/** Markdown overrides an output format from the profile or the environment, but not from a flag. */
function checkMarkdown({ markdown }: FailuresInput, { settings }: Context): void {
  if (!markdown) return;
  const { fields, jq, output } = settings;
  if (jq !== undefined) throw usageError('--markdown and --jq cannot be used together');
  if (fields !== undefined) throw usageError('--markdown and --fields cannot be used together');
  if (isFromFlag(settings, 'output'))
    throw usageError(`--markdown and -o ${output ?? ''} cannot be used together`);
}

/** Prints text on a terminal, one row per failed job as TSV, and the complete report otherwise. */
async function printReport(
  report: Report,
  { build, logs }: Findings,
  { markdown, lines, listJobs }: FailuresInput,
  context: Context,
): Promise<void> {
  const { out, settings } = context;
  if (markdown) {
    const { reportMarkdown } = await import('../../triage/markdown.ts');
    return out.write(reportMarkdown(report, { listsJobs: listJobs }));
  }
  if (out.format !== 'table' && out.format !== 'tsv') return out.one(resource, report);
  if (out.format === 'tsv' || settings.fields !== undefined)
    return printRows(report, build, context);
  const scope = commandScope(settings);
  const jobs = (build.jobs ?? []).filter(({ retried }) => retried !== true);
  // For a blocked build, the report already suggests a command for the blocking step.
  const isWaiting = report.failures.length === 0 && waitingWords(report, build, scope).length > 0;
  const { reportText } = await import('../../triage/report-text.ts');
  const text = reportText(await reportWithEmojis(report), {
    ...{ colors: out.color, width: out.width, now: context.clock.now(), scope },
    build: await buildWithEmojis(build),
    paint: paintedLines(logs),
    next: isWaiting ? [] : nextCommands(report, { ...scope, jobs }),
    isWhole: lines !== undefined,
    listsJobs: listJobs,
  });
  await out.write(text);
}

/**
 * Prints one row per failure. Each row is the report with a single failure instead of the list.
 * Prints a notice if the build was canceled or is blocked, because the rows do not show that.
 */
async function printRows(report: Report, build: Build, context: Context): Promise<void> {
  const { out, messages } = context;
  const rows = report.failures.map((failure) => ({ ...report, failures: failure }));
  const waits = waitingWords(report, build, commandScope(context.settings)).map(
    ({ step, command }) =>
      `the build is blocked at "${step}"${command === '' ? '' : `: ${command}`}`,
  );
  const words = [...cancelWords(report), ...waits];
  await out.list(resource, rows, { empty: ['no failed jobs', ...words].join('; ') });
  if (rows.length > 0) words.forEach((one) => messages.note(one));
  for (const { fault: error } of report.failures) if (error !== null) messages.warn(error);
}
