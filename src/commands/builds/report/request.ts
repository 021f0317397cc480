import type { Input } from '../../../command/command.ts';
import type { Context } from '../../../context.ts';
import { usageError } from '../../../errors.ts';
import { checkOutFile, dataFlag, standardOutput } from '../../output-flags.ts';
import type { buildsReport } from '../index.ts';

export type ReportInput = Input<typeof buildsReport>;

/** The flags of `builds report`, checked. */
export interface ReportRequest {
  /** What is behind the page in place of it. */
  readonly isData: boolean;
  readonly logs: 'failed' | 'all' | 'none';
  /** Of excerpts, annotations and logs, all together. */
  readonly maxBytes: number;
}

/** Code 2, naming the flags, where they cannot be used together. */
export function readReportRequest(input: ReportInput, context: Context): ReportRequest {
  const data = dataFlag(context);
  const file = input.out !== undefined ? '--out' : input.open ? '--open' : undefined;
  if (data !== undefined && file !== undefined)
    throw usageError(`${data} and ${file} cannot be used together`);
  checkOutFile('--out', input.out);
  if (input.out === standardOutput && input.open)
    throw usageError('--out - and --open cannot be used together');
  const { logs = 'failed', maxBytes = defaultBytes } = input;
  if (maxBytes < 0) throw usageError(`--max-bytes must not be negative: ${maxBytes}`);
  return { isData: data !== undefined, logs: logs as ReportRequest['logs'], maxBytes };
}

/** What a ticket takes as a file, and a browser shows at once. */
const defaultBytes = 4 * 1024 * 1024;
