import type { Handler } from '../../command/command.ts';
import { resolveJob, resolveNamedJob } from '../../refs/resolve.ts';
import { withLogCache } from '../../cache/with-log-cache.ts';
import { isFailedJob } from '../../watch/outcome.ts';
import { checkOutFile, standardOutput } from '../output-flags.ts';
import { writeWholeFile } from '../write-whole-file.ts';
import { filteredBytes, readText, listGroups, shownBytes, logBytes } from './log-view.ts';
import { printFailedLogs } from './log-failed.ts';
import { followJobLog } from './log-follow.ts';
import { readLogRequest, type LogInput } from './log-request.ts';
import { hasLog } from '../pickable.ts';
import type { jobLog } from './index.ts';

/** `cictl job log [JOB]`. */
export const printLog: Handler<typeof jobLog> = async (input, uncached) => {
  checkOutFile('--out', input.out);
  // As if it were not there: that is where a log goes.
  if (input.out === standardOutput) return printLog({ ...input, out: undefined }, uncached);
  const context = withLogCache(uncached, { offline: !input.follow });
  const request = readLogRequest(input, context);
  if (input.failed) return printFailedLogs(request, input, context);
  if (input.follow) return followJobLog(request, input, context);
  if (input.groups) {
    const { ref, job } = await resolveJob(context, input.job, options(input));
    return listGroups(ref, job.finished_at, context);
  }
  const { ref, job } = await resolveNamedJob(context, input.job, options(input));
  const bytes = await logBytes({ ref, job }, request, input.server, context);
  if (input.out !== undefined)
    return writeWholeFile(input.out, await filteredBytes(bytes, context), context);
  if (context.settings.jq !== undefined) return context.out.document(await readText(bytes));
  const shown = await shownBytes(bytes, request.format, context.out);
  for await (const chunk of shown) await context.out.write(chunk);
};

const options = ({ build }: LogInput) => ({
  mutates: false,
  candidates: { word: 'failed', test: isFailedJob, others: hasLog },
  ...(build !== undefined && { build }),
});
