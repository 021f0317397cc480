/** Requests for `builds report`: the build, its annotations, and each log once. */
import type { Client } from '../../../api/client.ts';
import type { BuildRef } from '../../../api/refs.ts';
import type { Annotation } from '../../../api/resources/annotation.ts';
import type { Build } from '../../../api/resources/build.ts';
import type { Job } from '../../../api/resources/job.ts';
import type { Context } from '../../../context.ts';
import { standingLines } from '../../../log/settle.ts';
import { shallowHtml } from '../../../pages/build/shallow-html.ts';
import { byWeight, isWarning } from '../../../triage/annotations.ts';
import { excerptOf, noExcerpt, type Excerpt } from '../../../triage/excerpt.ts';
import {
  cutText,
  defaultLimits,
  fairShares,
  tailBytes,
  type Limits,
} from '../../../triage/limits.ts';
import { type ReadResult, sortJobs, type Sorted } from '../../../triage/report.ts';
import { type Tail, withoutTornLine } from '../../../triage/tail.ts';
import { mapConcurrent } from '../../async.ts';
import { hasLog } from '../../pickable.ts';
import { attempt, eachAnnotation, maxRequests, mayHaveLog, readLogEnd } from '../read-parts.ts';
import type { ReportRequest } from './report.ts';
import { logTails, type LogTails } from './tails.ts';

/** All the data for a report. */
export interface Gathered {
  readonly ref: BuildRef;
  readonly build: Build;
  readonly sorted: Sorted;
  readonly annotations: ReadResult<KeptAnnotations>;
  /** In the order of the jobs in the build. */
  readonly logs: readonly GatheredLog[];
  readonly tails: LogTails;
}

export interface GatheredLog {
  readonly job: Job;
  readonly result: ReadResult<ReportedLog>;
}

export interface ReportedLog {
  /** The lines that explain the failure, if an explanation was requested. */
  readonly excerpt: Excerpt;
  /** Whether only the end of the log was read. */
  readonly isCut: boolean;
  /** Size of the whole log in bytes, if the service sends it. */
  readonly size: number | undefined;
}

/** Explains only the first 50 failures. The page still has the logs of all failures. */
export const reportLimits: Limits = { ...defaultLimits, lines: 20, maxCauses: 50 };

/** Returns read errors of logs and annotations as values; throws if the build is unreadable. */
export async function gatherReport(
  ref: BuildRef,
  request: ReportRequest,
  context: Context,
): Promise<Gathered> {
  const client = await context.client();
  const build = await client.builds.get(ref, { includeRetriedJobs: true });
  const sorted = sortJobs(build);
  const tails = logTails(request.isData ? 0 : request.maxBytes);
  let annotations: ReadResult<KeptAnnotations> = { value: { annotations: [], more: 0 } };
  const logs: GatheredLog[] = [];
  const tasks = [
    async () =>
      void (annotations = await attempt(() => readAnnotations(ref, request, client), context)),
    ...logsToRead(build, sorted, request).map(({ job, isExplained }, at) => async () => {
      const room = tails.room();
      const read = async (): Promise<ReportedLog> => {
        const most = Math.max(room + overhead, isExplained ? tailBytes(reportLimits) : 0);
        const end = await readLogEnd({ ...ref, job }, most, client);
        if (!request.isData) tails.add(at, linesOf(end));
        const excerpt = isExplained
          ? excerptOf(end, reportLimits.lines, !request.isData)
          : noExcerpt;
        return { excerpt, isCut: end.isCut, size: end.size };
      };
      logs[at] = { job, result: await attempt(read, context) };
    }),
  ];
  await mapConcurrent(tasks, maxRequests, (task) => task());
  return { ref, build, sorted, annotations, logs, tails };
}

/** If only data is requested, reads only annotations that report a problem. */
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

/**
 * The logs that a report needs, in the order of the build's jobs. If `isExplained` is set, the log
 * is searched for the cause of the failure. If only data is requested, no other logs are read.
 */
function logsToRead({ jobs }: Build, { failures }: Sorted, { isData, logs }: ReportRequest) {
  if (logs === 'none') return [];
  const failed = failures.map(({ job }) => job).filter(mayHaveLog);
  const explained = new Set(failed.slice(0, reportLimits.maxCauses));
  const required = isData ? explained : new Set(failed);
  return (jobs ?? [])
    .filter((job) => required.has(job) || (logs === 'all' && !isData && hasLog(job)))
    .map((job) => ({ job, isExplained: explained.has(job) }));
}

/** Additional bytes to read, because timestamps, colors and progress bars are not printed. */
const overhead = 64 * 1024;

function linesOf({ bytes, isCut }: Tail): string {
  const stage = standingLines();
  const lines = stage.push(isCut ? withoutTornLine(bytes) : bytes) + stage.end();
  return lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`;
}

export interface KeptAnnotation extends Annotation {
  /** The whole body of the annotation, or only its beginning. */
  readonly body_html: string;
  /** Size of the whole body in bytes. */
  readonly size: number;
  readonly isCut: boolean;
}

export interface KeptAnnotations {
  /** In the order in which the service sent the annotations. */
  readonly annotations: readonly KeptAnnotation[];
  /** Number of annotations that were dropped. */
  readonly more: number;
}

/** Keeps the most important annotations within a few megabytes, no matter how many are added. */
export function annotationStore() {
  let numbered: { readonly at: number; readonly kept: KeptAnnotation }[] = [];
  let size = 0;
  let count = 0;

  return {
    add(annotation: Annotation): void {
      const kept = shortened(annotation, longestBody);
      numbered.push({ at: count++, kept });
      size += kept.body_html.length;
      if (numbered.length >= 2 * mostAnnotations || size > 2 * mostCharacters) choose();
    },
    kept(): KeptAnnotations {
      choose();
      const annotations = [...numbered].sort((a, b) => a.at - b.at).map(({ kept }) => kept);
      return { annotations, more: count - annotations.length };
    },
  };

  function choose(): void {
    const byImportance = [...numbered].sort((a, b) => byWeight(a.kept, b.kept) || a.at - b.at);
    const chosen = byImportance.slice(0, mostAnnotations);
    const lengths = chosen.map(({ kept }) => kept.body_html.length);
    const shares = fairShares(lengths, mostCharacters);
    numbered = chosen.map(({ at, kept }, index) => {
      return { at, kept: shortened(kept, shares[index] ?? 0) };
    });
    size = numbered.reduce((sum, { kept }) => sum + kept.body_html.length, 0);
  }
}

const mostAnnotations = 200;
/** Bytes per annotation. Parsing HTML takes several times as much memory. */
const longestBody = 256 * 1024;
const mostCharacters = 8 * 1024 * 1024;
/** In bytes. This is also the API's maximum (specification, "Limits"). */
const longestName = 256;

function shortened(annotation: Annotation | KeptAnnotation, length: number): KeptAnnotation {
  const { id, context, style, priority, body_html: whole } = annotation;
  const body = whole ?? '';
  const start = shallowHtml(body.length <= length ? body : htmlStart(body, length));
  const known = 'size' in annotation ? annotation : { size: Buffer.byteLength(body), isCut: false };
  return {
    id: cutText(id ?? '', longestName).text,
    style: style ?? '',
    body_html: start,
    size: known.size,
    ...(context !== undefined && { context: cutText(context ?? '', longestName).text }),
    ...(priority !== undefined && { priority }),
    isCut: known.isCut || start.length < body.length,
  };
}

/** Copies the text, so that the whole string can be freed. Drops an incomplete tag or entity. */
const htmlStart = (html: string, length: number): string =>
  Buffer.from(html.slice(0, length))
    .toString()
    .replace(/\ufffd$/, '')
    .replace(/<[^<>]{0,4096}$|&#?\w{0,32}$/, '');
