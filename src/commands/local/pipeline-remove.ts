import type { Handler } from '../../command/command.ts';
import { checkSlug } from '../../parse/slug.ts';
import { pipelinePath, withService } from './with-service.ts';
import type { localPipelineRemove } from './index.ts';

/** `cictl local pipeline remove`. */
export const removePipeline: Handler<typeof localPipelineRemove> = async ({ slug }, context) => {
  checkSlug('pipeline', slug);
  const path = pipelinePath(context, slug);
  await withService(context, async (call) => {
    await call('GET', path);
    await context.prompts.confirm(`Remove pipeline ${slug} with all its builds?`, '--yes');
    await call('DELETE', path);
  });
  context.messages.note(`removed pipeline ${slug}`);
};
