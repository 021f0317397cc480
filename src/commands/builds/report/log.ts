import type { Client } from '../../../api/client.ts';
import type { BuildRef } from '../../../api/refs.ts';
import type { Job } from '../../../api/resources/job.ts';
import { standingLines } from '../../../log/standing-lines.ts';
import { excerptOf, noExcerpt, type Excerpt } from '../../../triage/excerpt.ts';
import { tailBytes, type Limits } from '../../../triage/limits.ts';
import type { Tail } from '../../../triage/tail.ts';
import { withoutTornLine } from '../../../triage/without-torn-line.ts';
import { readLogEnd } from '../read-parts.ts';

/** What is known of a log beside its lines. */
export interface ReportedLog {
  /** Why its job failed, where that was asked for. */
  readonly excerpt: Excerpt;
  /** Its end alone was read. */
  readonly isCut: boolean;
  /** Bytes of the whole, where the service says it. */
  readonly size: number | undefined;
}

export interface LogOptions {
  /** Lines that say why it failed are looked for. */
  readonly isExplained: boolean;
  readonly limits: Limits;
  /** Bytes of its lines that there is room for. */
  readonly room: number;
}

/** Reads the end of a log with one request, for its excerpt and for its lines, which `add` gets where they are wanted. */
export async function readReportLog(
  ref: BuildRef & { readonly job: Job },
  { isExplained, limits, room }: LogOptions,
  client: Client,
  add: ((lines: string) => void) | undefined,
): Promise<ReportedLog> {
  const most = Math.max(room + overhead, isExplained ? tailBytes(limits) : 0);
  const end = await readLogEnd(ref, most, client);
  add?.(linesOf(end));
  return {
    excerpt: isExplained ? excerptOf(end, limits.lines, add !== undefined) : noExcerpt,
    isCut: end.isCut,
    size: end.size,
  };
}

/** Time marks, colours and progress take bytes of which the lines have fewer. */
const overhead = 64 * 1024;

function linesOf({ bytes, isCut }: Tail): string {
  const stage = standingLines();
  const lines = stage.push(isCut ? withoutTornLine(bytes) : bytes) + stage.end();
  return lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`;
}
