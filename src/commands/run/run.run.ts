import type { Handler } from '../../cli/command.ts';
import { dataDir } from '../../config/folders.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { hostService, type Hosted } from '../../local/daemon/host.ts';
import { givenVariables } from '../environment.ts';
import { createRun, type NewRun } from './create.ts';
import { readPipelineFile } from './file.ts';
import { checkPipeline, printPlan, stepResource } from './plan.ts';
import type { runCommand } from './run.ts';
import { createView } from './view.ts';
import { watchRun } from './watch.ts';

/** `cictl run`. */
export const run: Handler<typeof runCommand> = async (input, context) => {
  const { jobs } = input;
  if (jobs !== undefined && jobs < 1) throw usageError(`--jobs takes a number from 1, not ${jobs}`);
  await context.out.check(input.plan ? stepResource : undefined);
  const file = await readPipelineFile(input.file, context.cwd);
  const env = await givenVariables(input, context);
  const plan = checkPipeline(file, env);
  for (const notice of plan.notices) context.messages.note(notice);
  if (input.plan || context.settings.dryRun) return printPlan(plan, context);
  const host = await hosted(jobs, context);
  try {
    return await runOn(host, { file, env, timeout: input.timeout }, context);
  } finally {
    await host.close(context.urgent.aborted);
  }
};

interface Wanted extends NewRun {
  readonly timeout: number | undefined;
}

async function runOn(host: Hosted, { timeout, ...wanted }: Wanted, context: Context) {
  const client = await context.connect(host.state, context.urgent);
  try {
    const ref = await createRun(host, wanted);
    const view = createView(client, ref, context);
    return await watchRun({ client, ref, view, timeout }, context);
  } finally {
    await client.close();
  }
}

async function hosted(
  slots: number | undefined,
  { env, clock, messages }: Context,
): Promise<Hosted> {
  const options = { dataDir: dataDir(env), ...(slots === undefined ? {} : { slots }) };
  const host = await hostService(options, clock);
  if (!host.own && slots !== undefined) {
    messages.warn('the local service runs already with slots of its own: --jobs has no effect');
  }
  return host;
}
