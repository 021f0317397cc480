import { build } from '../../api/resources/build.ts';
import type { Handler } from '../../cli/command.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import type { buildsRebuild } from './rebuild.ts';

/** `cictl builds rebuild [BUILD]`. */
export const run: Handler<typeof buildsRebuild> = async (input, context) => {
  const ref = await resolveBuild(context, input.build, { mutates: true });
  const { builds } = await context.client();
  await context.out.changed(build, () => builds.rebuild(ref));
};
