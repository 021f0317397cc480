/** The requests of `builds report`: the build, its annotations, and each log once. */
import type { Client } from '../../../api/client.ts';
import type { BuildRef } from '../../../api/refs.ts';
import type { Build } from '../../../api/resources/build.ts';
import type { Job } from '../../../api/resources/job.ts';
import type { Context } from '../../../context.ts';
import { defaultLimits, type Limits } from '../../../triage/limits.ts';
import type { ReadResult } from '../../../triage/report.ts';
import { sortJobs, type Sorted } from '../../../triage/sort-jobs.ts';
import { mapConcurrent } from '../../map-concurrent.ts';
import { isWarning } from '../../../triage/annotations.ts';
import { attempt } from '../attempt.ts';
import { eachAnnotation } from '../read-parts.ts';
import { annotationStore, type KeptAnnotations } from './annotations.ts';
import { logsToRead } from './jobs.ts';
import { readReportLog, type ReportedLog } from './log.ts';
import type { ReportRequest } from './request.ts';
import { logTails, type LogTails } from './tails.ts';

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
