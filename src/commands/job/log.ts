import { buffer } from 'node:stream/consumers';
import { withLogCache } from '../../cache/with-log-cache.ts';
import type { Handler } from '../../command/command.ts';
import { resolveJob, resolveNamedJob } from '../../refs/resolve.ts';
import { isFailedJob } from '../../watch/outcome.ts';
import { checkOutFile, standardOutput } from '../output-flags.ts';
import { hasLog } from '../pickable.ts';
import { writeWholeFile } from '../write-whole-file.ts';
import type { jobLog } from './index.ts';
import { printFailedLogs } from './log-failed.ts';
import { followJobLog } from './log-follow.ts';
import { readLogRequest } from './log-request.ts';
import { filteredBytes, listGroups, logBytes, shownBytes } from './log-view.ts';

export const printLog: Handler<typeof jobLog> = async (input, uncached) => {
  checkOutFile('--out', input.out);
  if (input.out === standardOutput) return printLog({ ...input, out: undefined }, uncached);
  const context = withLogCache(uncached, { offline: !input.follow });
  const { out, settings } = context;
  const request = readLogRequest(input, context);
  if (input.failed) return printFailedLogs(request, input, context);
  if (input.follow) return followJobLog(request, input, context);
  const candidates = { word: 'failed', test: isFailedJob, others: hasLog };
  const options = { mutates: false, candidates, build: input.build };
  if (input.groups) {
    const { ref, job } = await resolveJob(context, input.job, options);
    return listGroups(ref, job.finished_at, context);
  }
  const { ref, job } = await resolveNamedJob(context, input.job, options);
  const bytes = await logBytes({ ref, job }, request, input.server, context);
  if (input.out !== undefined)
    return writeWholeFile(input.out, await filteredBytes(bytes, context), context);
  if (settings.jq !== undefined) return out.document((await buffer(bytes)).toString());
  for await (const chunk of await shownBytes(bytes, request.format, out)) await out.write(chunk);
};
