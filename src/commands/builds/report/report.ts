import { withLogCache } from '../../../cache/with-log-cache.ts';
import type { Handler } from '../../../command/command.ts';
import { resolveBuild } from '../../../refs/resolve.ts';
import type { buildsReport } from '../index.ts';
import { gatherReport } from './gather.ts';
import { readReportRequest } from './request.ts';
import { reportTarget } from './target.ts';

/** `cictl builds report [BUILD]`: code 0 when it could be written, whatever the state of the build. */
export const reportBuild: Handler<typeof buildsReport> = async (input, uncached) => {
  const request = readReportRequest(input, uncached);
  const context = withLogCache(uncached, { offline: false });
  const ref = await resolveBuild(context, input.build, { mutates: false });
  const file = request.isData ? undefined : await reportTarget(ref, input, context);
  const progress = context.messages.progress('reading the build and its logs');
  const gathered = await gatherReport(ref, request, context).finally(() => progress.stop());
  if (request.isData) {
    const { printReportData } = await import('./data.ts');
    return printReportData(gathered, request.maxBytes, context);
  }
  const { writeReport } = await import('./write.ts');
  return writeReport(gathered, { ...request, open: input.open, file }, context);
};
