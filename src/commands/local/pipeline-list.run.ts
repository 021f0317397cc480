import type { Handler } from '../../cli/command.ts';
import { pipelinePath, withService } from './admin.ts';
import type { localPipelineList } from './pipeline-list.ts';
import { localPipeline } from './pipeline.ts';

/** `cictl local pipeline list`. */
export const run: Handler<typeof localPipelineList> = async (_, context) => {
  const list = await withService(context, (call) => call('GET', pipelinePath(context)));
  await context.out.list(localPipeline, list as object[]);
};
