import type { Handler } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { onAbort } from '../../common/abort.ts';
import { startTimer } from '../../common/clock.ts';
import { git } from '../../common/git.ts';
import { runMark } from '../../service/admin.ts';
import type { Hosted } from '../../service/daemon/host.ts';
import type { Plan, Step } from '../../service/pipeline/plan.ts';
import { givenVariables } from '../read-value.ts';
import { pairs } from '../../parse/flag-values.ts';
import { createBuildReader, createView } from './view.ts';
import { checkFlags, runSettings, type RunInput } from './request.ts';
import {
  choosePlanned,
  createRun,
  type NewRun,
  type WantedRun,
  type RemoteOfRun,
  describeRun,
} from './create.ts';
import { hosted, isTimeout, keptSecrets, waitForOtherRuns } from './host.ts';
import type { GivenValues } from './from-build.ts';
import { readPipeline } from './pipeline-file.ts';
import { checkPipeline, printPlan } from './plan.ts';
import { type runCommand, stepResource } from './index.ts';
import { hasStep } from '../../service/scheduler/choose-steps.ts';
import type { RunOnce } from './run-on-changes.ts';
import { watchRun, type WatchedRun } from './watch.ts';
import { namesPlugin, pluginName } from '../../service/plugins/plugin.ts';
import type { PluginPolicy } from '../../service/run-options.ts';
import { didYouMean } from '../../common/suggest.ts';

export const runPipeline: Handler<typeof runCommand> = async (input, context) => {
  const { shellOnFailure } = input;
  checkFlags(input, context);
  // Only a plan has columns that `--fields` can select.
  const isPlan = input.plan || input.graph;
  await context.out.check(isPlan ? stepResource : undefined);
  const run = await wantedRun(input, context);
  if (input.workspace === 'worktree') await checkWorktree(run, context);
  const isShown = isPlan || context.settings.dryRun;
  const read = run.plan ?? (await checkPipeline(run, context));
  const kept = isShown ? await keptSecrets(read, run.settings.options.secrets, context) : {};
  const plan = choosePlanned(read, run, { isShown, kept });
  for (const notice of noticesOf(plan, input)) context.messages.note(notice);
  for (const notice of unusedPlugins(plan.steps, run.settings.options.plugins))
    context.messages.note(notice);
  if (isShown) return printPlan(plan, context, input);
  // Git runs while the service starts.
  const remote = git.remote(run.file.folder);
  const host = await hosted(input, context);
  const hosting = untilGone(host, context);
  const watching = { ...hosting, urgent: AbortSignal.any([hosting.urgent, overdue(context)]) };
  try {
    const first = { ...run, planned: plan, shellOnFailure, remote };
    if (!input.watchFiles) return (await runOn(host, first, watching)).exitCode;
    const { runOnChanges } = await import('./run-on-changes.ts');
    return await runOnChanges(run.file.folder, againOn(host, first, input), watching);
  } finally {
    if (host.isOwn) await waitForOtherRuns(host, hosting);
    await host.close(watching.urgent.aborted);
  }
};

/** Aborts half a second after `--timeout`, so that canceled jobs cannot delay the exit. */
function overdue({ signal }: Context): AbortSignal {
  const late = new AbortController();
  onAbort(signal, (reason) => {
    if (isTimeout(reason)) startTimer(500, () => late.abort(reason), { keepsProcess: false });
  });
  return late.signal;
}

/** Also aborts if the data directory disappears, as the build could not finish without it. */
function untilGone({ folderGone }: Hosted, context: Context): Context {
  const gone = new AbortController();
  void folderGone.then((reason) => gone.abort(reason));
  const { signal, urgent } = context;
  return {
    ...context,
    signal: AbortSignal.any([signal, gone.signal]),
    urgent: AbortSignal.any([urgent, gone.signal]),
  };
}

/** Exit code 2 outside a checkout; prints a notice if the worktrees lack uncommitted changes. */
async function checkWorktree(
  { file: { folder }, build: { commit } }: WantedRun,
  { messages }: Context,
): Promise<void> {
  if ((await git.headCommit(folder)) === undefined)
    throw usageError(
      `--workspace worktree needs a commit, but ${folder} has none; use --workspace copy`,
    );
  const changes = await git.uncommitted(folder);
  if (changes === undefined) return;
  messages.note(
    `the jobs run commit ${commit.slice(0, 10)} without ${changes}; to include them, use --workspace copy`,
  );
}

/** Drops notices about the `agents` attribute with `--agents`, because real agents support it. */
const noticesOf = ({ notices }: Plan, { agents }: Pick<RunInput, 'agents'>): readonly string[] =>
  agents ? notices.filter((notice) => !/`agent(?:s|_query_rules)` is/.test(notice)) : notices;

async function wantedRun(input: RunInput, context: Context): Promise<WantedRun> {
  const metaData = pairs(input.metaData, '--meta-data');
  const settings = await runSettings(input, context);
  const values = { given: await givenVariables(input, context), secrets: settings.options.secrets };
  const run = await newRun(input, values, context);
  return { ...run, build: { ...run.build, meta_data: metaData }, settings };
}

async function newRun(
  { file: named, fromBuild, step: [step] }: RunInput,
  values: GivenValues,
  context: Context,
): Promise<NewRun> {
  if (fromBuild !== undefined) {
    const { stepFromBuild } = await import('./from-build.ts');
    return stepFromBuild(fromBuild, step, values, context);
  }
  const file = await readPipeline(named, context);
  return { file, build: await describeRun(file, values.given) };
}

/** From the second run on, reads the file again. Steps that failed replace those of `--step`. */
function againOn(host: Hosted, first: RunOptions, input: RunInput): RunOnce {
  let isFirst = true;
  return async (context, failed = []) => {
    if (isFirst) {
      isFirst = false;
      return runOn(host, first, context);
    }
    const values = { given: first.build.env, secrets: {} };
    const read = await newRun(input, values, context);
    const build = { ...read.build, meta_data: first.build.meta_data ?? {} };
    const all = { ...read, build, settings: first.settings };
    const plan = await checkPipeline(all, context);
    // A failed step may be missing, because the file has changed or because the step was uploaded.
    const steps = failed.filter((name) => hasStep(plan, name));
    const settings = { ...all.settings, ...(steps.length > 0 && { only: { steps } }) };
    const planned = choosePlanned(plan, { ...all, settings }, { isShown: false });
    const remote = git.remote(read.file.folder);
    const run = { ...first, file: read.file, build, settings, planned, remote };
    return { ...(await runOn(host, run, context)), isPart: steps.length > 0 };
  };
}

interface RunOptions extends WantedRun, RemoteOfRun {
  /** The steps that are known before the service processes the file. */
  readonly planned: Plan;
  readonly shellOnFailure: boolean;
}

async function runOn(host: Hosted, run: RunOptions, context: Context): Promise<WatchedRun> {
  const client = await context.connect(
    { ...host.state, isBuiltIn: true, remark: runMark },
    context.urgent,
  );
  try {
    const ref = await createRun(host, run);
    const reader = createBuildReader(host.state, client, ref);
    const openView = () => createView(client, ref, reader, context);
    const watched = await watchRun({ client, ref, reader, openView }, context);
    const { exitCode, build } = watched;
    if (exitCode === 1 && run.shellOnFailure) {
      const { openFailureShell } = await import('./failure-shell.ts');
      await openFailureShell({ ...run, client, ref, build, plan: run.planned }, context);
    }
    return watched;
  } finally {
    await client.close();
  }
}

/** Prints a notice for each unused name in `--plugins`, because an uploaded step may use it. */
function unusedPlugins(steps: readonly Step[], { named }: PluginPolicy): string[] {
  const names = Object.keys(named);
  if (names.length === 0) return [];
  const used = new Set(
    steps.flatMap((step) =>
      step.type === 'command' ? step.plugins.map(({ source }) => pluginName(source)) : [],
    ),
  );
  const unused = names.filter((name) => ![...used].some((plugin) => namesPlugin(name, plugin)));
  return unused.map(
    (name) =>
      `no step in the file uses the plugin ${name} from --plugins${didYouMean(name.toLowerCase(), used)}`,
  );
}
