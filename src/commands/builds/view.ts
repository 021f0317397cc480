import { buildName } from '../../api/refs.ts';
import { build } from '../../api/resources/build.ts';
import type { Handler } from '../../command/command.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { noteAgentWaits } from '../note-agent-waits.ts';
import { showWeb, wantsWeb, webContext } from '../show-web.ts';
import type { buildsView } from './index.ts';

export const viewBuild: Handler<typeof buildsView> = async ({ build: text, ...input }, outer) => {
  const context = await webContext(input, outer);
  const { out, settings } = context;
  const ref = await resolveBuild(context, text, { mutates: false });
  const { builds } = await context.client();
  const options = { includeRetriedJobs: input.includeRetriedJobs };
  if (wantsWeb(input)) {
    const { web_url: url } = await builds.get(ref, options);
    return showWeb(url, `build ${buildName(ref)}`, input, context);
  }
  if (input.summary || (out.format === 'table' && settings.fields === undefined)) {
    const { viewScreen } = await import('./view-screen.ts');
    return viewScreen(ref, input, context);
  }
  // JSON is passed on unchanged; other formats validate the build when they print it.
  const found = await builds.get(ref, { ...options, asSent: true });
  await out.one(build, found);
  await noteAgentWaits(found.jobs, context);
};
