import { buildName } from '../../api/refs.ts';
import { build } from '../../api/resources/build.ts';
import type { Handler } from '../../command/command.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { showWeb, wantsWeb } from '../show-web.ts';
import type { buildsView } from './index.ts';

/** `cictl builds view [BUILD]`. */
export const viewBuild: Handler<typeof buildsView> = async ({ build: text, ...input }, context) => {
  const ref = await resolveBuild(context, text, { mutates: false });
  const { builds } = await context.client();
  // Printing checks what it reads, and passes JSON on unchanged.
  const found = await builds.get(ref, {
    includeRetriedJobs: input.includeRetriedJobs,
    asSent: !wantsWeb(input),
  });
  if (wantsWeb(input)) return showWeb(found.web_url, `build ${buildName(ref)}`, input, context);
  await context.out.one(build, found);
};
