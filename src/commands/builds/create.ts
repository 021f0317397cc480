import { build } from '../../api/resources/build.ts';
import type { Handler } from '../../command/command.ts';
import { refOf, resolvePipeline } from '../../refs/resolve.ts';
import { changeForWatch, checkWatchOption, watchAfter } from '../../watch/watch-option.ts';
import { createBody } from './body.ts';
import type { buildsCreate } from './index.ts';

/** `cictl builds create`. */
export const createBuild: Handler<typeof buildsCreate> = async (input, context) => {
  checkWatchOption(input, context);
  const pipeline = await resolvePipeline(context, {}, { mutates: true });
  const body = await createBody(input, context);
  const { builds } = await context.client();
  const created = await changeForWatch(
    build,
    () => builds.create(pipeline, body),
    input,
    context,
    'created',
  );
  if (created === undefined || !input.watch) return;
  return watchAfter([{ ref: refOf(pipeline, created) }], context);
};
