import { flagName, type Handler, type Input } from '../../command/command.ts';
import { isFromFlag } from '../../config/is-from-flag.ts';
import type { BuildRef } from '../../api/refs.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { plain } from '../../render/colors.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { defaultLimits, type Limits } from '../../triage/limits.ts';
import { makeReport } from '../../triage/report.ts';
import { withLogCache } from '../../cache/with-log-cache.ts';
import { gatherFailures } from './failures-gather.ts';
import { printFailures } from './failures-print.ts';
import type { buildsFailures } from './index.ts';

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
  const { buildOfCommit } = await import('../../refs/build-of-commit.ts');
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
