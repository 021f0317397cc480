import { build } from '../../api/resources/build.ts';
import type { Handler } from '../../cli/command.ts';
import { resolvePipeline } from '../../refs/resolve.ts';
import { createBody } from './body.ts';
import type { buildsCreate } from './create.ts';

/** `cictl builds create`. */
export const run: Handler<typeof buildsCreate> = async (input, context) => {
  const pipeline = await resolvePipeline(context, undefined);
  const body = await createBody(input, context);
  const { builds } = await context.client();
  await context.out.changed(build, () => builds.create(pipeline, body));
};
