import { buildName } from '../../../api/refs.ts';
import { markStart } from '../../../log/time-marks.ts';
import type { LogHead } from '../../../pages/report/log-frame.tsx';
import { jobLabel } from '../../../triage/job-label.ts';
import { logCommand } from '../../../triage/log-command.ts';
import { isFailedJob } from '../../../watch/is-failed-job.ts';
import type { Gathered, GatheredLog } from './gather.ts';
import { measureLogs, type LogMarkup, type LogsMarkup } from './markup.ts';
import { logNotes } from './notes.ts';

export interface PrintedLog {
  readonly head: LogHead;
  /** Its lines, as a byte string. */
  readonly html: string;
}

/** The lines of the logs; of all together at most `most` bytes will be asked for. */
export const markupOfLogs = ({ logs, tails }: Gathered, most: number): LogsMarkup =>
  measureLogs(
    logs.length,
    (at) => ({ lines: tails.linesOf(at), name: `l${at}-`, hasFailed: isOpen(logs[at]) }),
    most,
  );

/** The logs of a report, made as they are asked for. */
export function* reportedLogs(
  { ref, build, logs, tails }: Gathered,
  markupOf: (at: number) => LogMarkup,
): Generator<PrintedLog, void, undefined> {
  const current = (build.jobs ?? []).filter(({ retried }) => retried !== true);
  for (const [at, { job, result }] of logs.entries()) {
    const { html, count, isCut: isFitted } = markupOf(at);
    const isCut = isFitted || tails.isCut(at) || ('value' in result && result.value.isCut);
    const command = logCommand(job, buildName(ref), current) ?? undefined;
    const head = {
      id: job.id ?? '',
      name: jobLabel(job),
      state: job.state ?? 'unknown',
      soft_failed: job.soft_failed === true,
      notes: [
        ...(job.retried === true ? ['An earlier execution, which was retried.'] : []),
        ...logNotes(result, { count, isCut }),
      ],
      ...(isCut && { command }),
      isOpen: isOpen(logs[at]),
      isTimed: tails.linesOf(at).includes(markStart),
    };
    yield { head, html };
  }
}

const isOpen = (log: GatheredLog | undefined): boolean => log !== undefined && isFailedJob(log.job);
