import type { Handler } from '../../command/command.ts';
import { checkSlug } from '../../parse/slug.ts';
import { pipelinePath, suggestPipeline, withService } from './with-service.ts';
import type { localPipelineRemove } from './index.ts';

/** Milliseconds: tens of thousands of builds with their logs take minutes. */
const longestRemoval = 3_600_000;

/** `cictl local pipeline remove`. */
export const removePipeline: Handler<typeof localPipelineRemove> = async ({ slug }, context) => {
  checkSlug('pipeline', slug);
  const path = pipelinePath(context, slug);
  await withService(context, async (call) => {
    await call('GET', path).catch(suggestPipeline(call, context, slug));
    await context.prompts.confirm(`Remove pipeline ${slug} with all its builds?`, '--yes');
    await call('DELETE', path, undefined, longestRemoval);
  });
  context.messages.note(`removed pipeline ${slug}`);
};
