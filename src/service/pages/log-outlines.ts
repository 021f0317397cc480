/** Where lines are in the logs that somebody looks at: read once each, and further as they grow. */
import { nextTurn } from '../../common/clock.ts';
import { createLogIndex, type LogIndex, type LogOutline } from '../../log/log-index.ts';
import type { ServiceContext } from '../service-context.ts';

type Logs = ServiceContext['logs'];

/** Of so many logs it is known at a time. */
const mostKnown = 16;

interface KnownLog {
  index: LogIndex;
  outline: LogOutline;
  reading: Promise<unknown>;
}

const ofServices = new WeakMap<Logs, Map<string, KnownLog>>();

/**
 * How the log of a job is now; undefined where there is none. A large one is read in small steps, so
 * that other requests have their turns between.
 */
export async function logOutline(logs: Logs, jobId: string): Promise<LogOutline | undefined> {
  const logsKnown = ofServices.get(logs) ?? new Map<string, KnownLog>();
  ofServices.set(logs, logsKnown);
  const log = logsKnown.get(jobId) ?? newLog();
  // The one that was asked for last is the last to go.
  logsKnown.delete(jobId);
  logsKnown.set(jobId, log);
  for (const [id] of logsKnown) if (logsKnown.size > mostKnown) logsKnown.delete(id);
  const reading = log.reading.then(() => readOn(logs, jobId, log));
  log.reading = reading.catch(() => undefined);
  return (await reading) ? log.outline : undefined;
}

function newLog(): KnownLog {
  const index = createLogIndex();
  return { index, outline: index.outline(), reading: Promise.resolve() };
}

/** False where there is no log. */
async function readOn(logs: Logs, jobId: string, log: KnownLog): Promise<boolean> {
  const size = await logs.size(jobId);
  // What is shorter than it was is another log.
  if (size === undefined || size < log.index.size())
    Object.assign(log, newLog(), { reading: log.reading });
  if (size === undefined) return false;
  const start = log.index.size();
  for await (const chunk of logs.read(jobId, { start, end: size })) {
    log.index.push(chunk);
    await nextTurn();
  }
  if (log.index.size() !== start) log.outline = log.index.outline();
  return true;
}
