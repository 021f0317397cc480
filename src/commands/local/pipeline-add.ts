import { resolve } from 'node:path';
import type { Handler } from '../../command/command.ts';
import { checkSlug } from '../../parse/checks.ts';
import { readPipelineFile } from '../run/pipeline-file.ts';
import { pipelinePath, withService } from './with-service.ts';
import type { localPipelineAdd } from './index.ts';
import { localPipeline } from './resources.ts';

/** `cictl local pipeline add`. */
export const addPipeline: Handler<typeof localPipelineAdd> = async (
  { dir, slug, restricted },
  context,
) => {
  if (slug !== undefined) checkSlug('pipeline', slug);
  const folder = resolve(context.cwd, dir);
  // A folder without a pipeline file is reported now, not at its first build.
  await readPipelineFile(folder, context.cwd);
  const body = { folder, restricted, ...(slug === undefined ? {} : { slug }) };
  await withService(context, async (call) => {
    await context.out.changed(
      localPipeline,
      async () => (await call('POST', pipelinePath(context), body)) as object,
      'added',
    );
  });
};
