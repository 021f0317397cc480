import { jobName } from '../../api/refs.ts';
import type { Handler } from '../../command/command.ts';
import { resolveJobRef } from '../../refs/resolve.ts';
import { jobsWithLog } from '../pickable.ts';
import { confirm } from '../confirm.ts';
import { evictLog } from '../../cache/evict-logs.ts';
import type { jobDeleteLog } from './index.ts';

/** `cictl job delete-log [JOB]`. */
export const deleteLog: Handler<typeof jobDeleteLog> = async (input, context) => {
  const ref = await resolveJobRef(context, input.job, {
    ...jobsWithLog,
    mutates: true,
    ...(input.build !== undefined && { build: input.build }),
  });
  await confirm(context, `Delete the log of ${jobName(ref)}?`);
  const { jobs } = await context.client();
  await jobs.deleteLog(ref);
  await evictLog(ref, context);
  context.messages.note(`the log of ${jobName(ref)} is deleted`);
};
