import type { Handler } from '../../command/command.ts';
import { dataDir } from '../../config/folders.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { hostService, type Hosted } from '../../service/daemon/host.ts';
import { stateSecrets } from '../../service/state.ts';
import { givenVariables } from '../given-variables.ts';
import { createRun, describeRun, type NewRun } from './create.ts';
import { readPipelineFile } from './pipeline-file.ts';
import { waitForOtherRuns } from './wait-for-other-runs.ts';
import { checkPipeline, printPlan } from './plan.ts';
import type { runCommand } from './index.ts';
import { stepResource } from './step.ts';
import { createView } from './view.ts';
import { watchRun } from './watch.ts';

/** `cictl run`. */
export const runPipeline: Handler<typeof runCommand> = async (input, context) => {
  const { jobs } = input;
  if (jobs !== undefined && jobs < 1) throw usageError(`--jobs takes a number from 1, not ${jobs}`);
  if (input.graph && !input.plan) throw usageError('--graph goes with --plan');
  if (input.graph && ['json', 'jsonl', 'yaml'].includes(context.out.format))
    throw usageError(`--graph is a form of its own: it cannot be ${context.out.format}`);
  // Events have no columns to choose from.
  await context.out.check(input.plan ? stepResource : undefined);
  const file = await readPipelineFile(input.file, context.cwd);
  const run = { file, build: await describeRun(file, await givenVariables(input, context)) };
  const plan = await checkPipeline(run);
  for (const notice of plan.notices) context.messages.note(notice);
  if (input.plan || context.settings.dryRun) return printPlan(plan, context, input);
  const host = await hosted(jobs, context);
  try {
    return await runOn(host, { ...run, timeout: input.timeout }, context);
  } finally {
    if (host.isOwn) await waitForOtherRuns(host, context);
    await host.close(context.urgent.aborted);
  }
};

interface RunOptions extends NewRun {
  readonly timeout: number | undefined;
}

async function runOn(host: Hosted, { timeout, ...run }: RunOptions, context: Context) {
  const client = await context.connect({ ...host.state, isBuiltIn: true }, context.urgent);
  try {
    const ref = await createRun(host, run);
    const view = createView(client, ref, context);
    return await watchRun({ client, ref, view, timeout }, context);
  } finally {
    await client.close();
  }
}

async function hosted(
  slots: number | undefined,
  { env, clock, messages, secrets }: Context,
): Promise<Hosted> {
  const options = { dataDir: dataDir(env), ...(slots === undefined ? {} : { slots }) };
  const host = await hostService(options, clock);
  secrets.add(...stateSecrets(host.state));
  if (!host.isOwn && slots !== undefined) {
    messages.warn('the local service runs already with slots of its own: --jobs has no effect');
  }
  return host;
}
