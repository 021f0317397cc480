/** The requests of `builds report`: the build, its annotations, and each log once. */
import type { Client } from '../../../api/client.ts';
import type { BuildRef } from '../../../api/refs.ts';
import type { Build } from '../../../api/resources/build.ts';
import type { Job } from '../../../api/resources/job.ts';
import type { Context } from '../../../context.ts';
import { defaultLimits, type Limits, tailBytes } from '../../../triage/limits.ts';
import { type ReadResult, sortJobs, type Sorted } from '../../../triage/report.ts';
import { mapConcurrent } from '../../async.ts';
import { isWarning } from '../../../triage/annotations.ts';
import { attempt, eachAnnotation, mayHaveLog, readLogEnd } from '../read-parts.ts';
import { annotationStore, type KeptAnnotations } from './annotations.ts';
import type { ReportRequest } from './request.ts';
import { logTails, type LogTails } from './tails.ts';
import { hasLog } from '../../pickable.ts';
import { standingLines } from '../../../log/settle.ts';
import { excerptOf, noExcerpt, type Excerpt } from '../../../triage/excerpt.ts';
import { type Tail, withoutTornLine } from '../../../triage/tail.ts';

/** What a report is made of. */
export interface Gathered {
  readonly ref: BuildRef;
  readonly build: Build;
  readonly sorted: Sorted;
  readonly annotations: ReadResult<KeptAnnotations>;
  /** In the order of the build. */
  readonly logs: readonly GatheredLog[];
  /** Their lines, by their places. */
  readonly tails: LogTails;
}

export interface GatheredLog {
  readonly job: Job;
  readonly result: ReadResult<ReportedLog>;
}

/** At most this many requests at once. */
const width = 4;

/** Of the failures so many are explained; the logs of the others are there. */
export const reportLimits: Limits = { ...defaultLimits, lines: 20, maxJobs: 50 };

/** A log or annotations that cannot be read are reported in their place; the build must exist. */
export async function gatherReport(
  ref: BuildRef,
  request: ReportRequest,
  context: Context,
): Promise<Gathered> {
  const client = await context.client();
  const build = await client.builds.get(ref, { includeRetriedJobs: true });
  const sorted = sortJobs(build);
  const tails = logTails(request.isData ? 0 : request.maxBytes);
  const wanted = logsToRead(build, sorted, request, reportLimits.maxJobs);
  let annotations: ReadResult<KeptAnnotations> = { value: { annotations: [], more: 0 } };
  const logs: GatheredLog[] = [];
  const tasks = [
    async () =>
      void (annotations = await attempt(() => readAnnotations(ref, request, client), context)),
    ...wanted.map(({ job, isExplained }, at) => async () => {
      const options = { isExplained, limits: reportLimits, room: tails.room() };
      const add = (lines: string): void => tails.add(at, lines);
      const read = () =>
        readReportLog({ ...ref, job }, options, client, request.isData ? undefined : add);
      logs[at] = { job, result: await attempt(read, context) };
    }),
  ];
  await mapConcurrent(tasks, width, (task) => task());
  return { ref, build, sorted, annotations, logs, tails };
}

/** As data there are those alone that report something wrong. */
async function readAnnotations(
  ref: BuildRef,
  { isData }: ReportRequest,
  client: Client,
): Promise<KeptAnnotations> {
  const store = annotationStore();
  for await (const annotation of eachAnnotation(ref, client)) {
    if (!isData || isWarning(annotation)) store.add(annotation);
  }
  return store.kept();
}

interface LogToRead {
  readonly job: Job;
  /** It is looked through for why its job failed. */
  readonly isExplained: boolean;
}

/**
 * The logs that a report needs, in the order of the build: those that were asked for; where only data
 * is wanted, those of failures that are explained.
 */
function logsToRead(
  { jobs }: Build,
  { failures }: Sorted,
  { isData, logs }: Pick<ReportRequest, 'isData' | 'logs'>,
  mostExplained: number,
): LogToRead[] {
  if (logs === 'none') return [];
  const failed = failures.map(({ job }) => job).filter(mayHaveLog);
  const explained = new Set(failed.slice(0, mostExplained));
  const wanted = isData ? explained : new Set(failed);
  return (jobs ?? [])
    .filter((job) => wanted.has(job) || (logs === 'all' && !isData && hasLog(job)))
    .map((job) => ({ job, isExplained: explained.has(job) }));
}

/** What is known of a log beside its lines. */
export interface ReportedLog {
  /** Why its job failed, where that was asked for. */
  readonly excerpt: Excerpt;
  /** Its end alone was read. */
  readonly isCut: boolean;
  /** Bytes of the whole, where the service says it. */
  readonly size: number | undefined;
}

interface LogOptions {
  /** Lines that say why it failed are looked for. */
  readonly isExplained: boolean;
  readonly limits: Limits;
  /** Bytes of its lines that there is room for. */
  readonly room: number;
}

/** Reads the end of a log with one request, for its excerpt and for its lines, which `add` gets where they are wanted. */
async function readReportLog(
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
