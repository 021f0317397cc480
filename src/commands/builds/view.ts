import { build } from '../../api/resources/build.ts';
import type { Handler } from '../../command/command.ts';
import { CictlError } from '../../errors.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { openBrowser } from '../../terminal/browser.ts';
import type { buildsView } from './index.ts';

/** `cictl builds view [BUILD]`. */
export const viewBuild: Handler<typeof buildsView> = async ({ build: text, ...input }, context) => {
  const ref = await resolveBuild(context, text, { mutates: false });
  const { builds } = await context.client();
  // Printing checks what it reads, and passes JSON on unchanged.
  const found = await builds.get(ref, {
    includeRetriedJobs: input.includeRetriedJobs,
    asSent: !input.web,
  });
  if (!input.web) return context.out.one(build, found);
  const address = found.web_url;
  if (!address) throw new CictlError('not_found', `build ${ref.number} has no web address`);
  await openBrowser(address, context.env);
};
