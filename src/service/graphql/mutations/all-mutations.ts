/** All mutations: each is what REST does, by the same code. */
import type { GraphqlContext } from '../context.ts';
import { pauseAgent, resumeAgent, stopAgent } from './agents.ts';
import { annotateBuild } from './annotate-build.ts';
import { cancelBuildById } from './cancel-build.ts';
import { createBuild } from './create-build.ts';
import { payload, type Input } from './payload.ts';
import { rebuildBuild } from './rebuild-build.ts';
import { retryJobById } from './retry-job.ts';
import { createRule, deleteRule } from './rules.ts';
import { unblockJobById } from './unblock-job.ts';

type Mutation<T> = (context: GraphqlContext, input: T) => object | Promise<object>;

export function allMutations(context: GraphqlContext): object {
  const mutation =
    <T>(perform: Mutation<T>) =>
    ({ input }: { input: T & Input }) =>
      payload(context, input, () => perform(context, input));
  return {
    agentStop: mutation(stopAgent),
    agentPause: mutation(pauseAgent),
    agentResume: mutation(resumeAgent),
    buildCreate: mutation(createBuild),
    buildCancel: mutation(cancelBuildById),
    buildRebuild: mutation(rebuildBuild),
    buildAnnotate: mutation(annotateBuild),
    jobTypeCommandRetry: mutation(retryJobById),
    jobTypeBlockUnblock: mutation(unblockJobById),
    ruleCreate: mutation(createRule),
    ruleDelete: mutation(deleteRule),
  };
}
