/** The requests of `builds report`: the build, its annotations, and each log once. */
import type { Client } from '../../../api/client.ts';
import type { BuildRef } from '../../../api/refs.ts';
import type { Build } from '../../../api/resources/build.ts';
import type { Job } from '../../../api/resources/job.ts';
import type { Context } from '../../../context.ts';
import {
  defaultLimits,
  type Limits,
  tailBytes,
  cutText,
  fairShares,
} from '../../../triage/limits.ts';
import { type ReadResult, sortJobs, type Sorted } from '../../../triage/report.ts';
import { mapConcurrent } from '../../async.ts';
import { isWarning, byWeight } from '../../../triage/annotations.ts';
import { attempt, eachAnnotation, mayHaveLog, readLogEnd } from '../read-parts.ts';
import type { ReportRequest } from './report.ts';
import { logTails, type LogTails } from './tails.ts';
import { hasLog } from '../../pickable.ts';
import { standingLines } from '../../../log/settle.ts';
import { excerptOf, noExcerpt, type Excerpt } from '../../../triage/excerpt.ts';
import { type Tail, withoutTornLine } from '../../../triage/tail.ts';
import type { Annotation } from '../../../api/resources/annotation.ts';
import { shallowHtml } from '../../../pages/build/shallow-html.ts';

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

/** An annotation with what a report needs of it. */
export interface KeptAnnotation extends Annotation {
  /** The beginning, where the whole is too long. */
  readonly body_html: string;
  /** Bytes of the whole body. */
  readonly size: number;
  readonly isCut: boolean;
}

/** The weightiest annotations of a build, in the order of the service. */
interface KeptAnnotations {
  readonly annotations: readonly KeptAnnotation[];
  /** How many there are beside those. */
  readonly more: number;
}

interface AnnotationStore {
  add(annotation: Annotation): void;
  kept(): KeptAnnotations;
}

/** Of however many annotations, however long, it never remembers more than some megabytes. */
export function annotationStore(): AnnotationStore {
  let numbered: Numbered[] = [];
  let size = 0;
  let count = 0;

  return {
    add(annotation) {
      const kept = shortened(annotation, largest);
      numbered.push({ at: count++, kept });
      size += kept.body_html.length;
      if (numbered.length >= 2 * most || size > 2 * mostCharacters) choose();
    },
    kept() {
      choose();
      const annotations = [...numbered].sort((a, b) => a.at - b.at).map(({ kept }) => kept);
      return { annotations, more: count - annotations.length };
    },
  };

  function choose(): void {
    const weightiest = [...numbered].sort((a, b) => byWeight(a.kept, b.kept) || a.at - b.at);
    const left = weightiest.slice(0, most);
    const shares = fairShares(
      left.map(({ kept }) => kept.body_html.length),
      mostCharacters,
    );
    numbered = left.map(({ at, kept }, index) => ({
      at,
      kept: shortened(kept, shares[index] ?? 0),
    }));
    size = numbered.reduce((sum, { kept }) => sum + kept.body_html.length, 0);
  }
}

interface Numbered {
  readonly at: number;
  readonly kept: KeptAnnotation;
}

/** Nobody reads more of them on one page. */
const most = 200;
/** Of a body: parsers take a multiple of it in memory. */
const largest = 256 * 1024;
const mostCharacters = 8 * 1024 * 1024;
/** Bytes; the API takes no longer ones (Specification, "Limits"). */
const longestName = 256;

function shortened(annotation: Annotation | KeptAnnotation, length: number): KeptAnnotation {
  const { id, context, style, priority, body_html: whole } = annotation;
  const body = whole ?? '';
  const start = shallowHtml(body.length <= length ? body : htmlStart(body, length));
  const known = 'size' in annotation ? annotation : { size: Buffer.byteLength(body), isCut: false };
  return {
    ...{
      id: cutText(id ?? '', longestName).text,
      style: style ?? '',
      body_html: start,
      size: known.size,
    },
    ...(context !== undefined && { context: cutText(context ?? '', longestName).text }),
    ...(priority !== undefined && { priority }),
    isCut: known.isCut || start.length < body.length,
  };
}

/** A copy: a part would keep the whole in memory. Without a tag or an entity that was cut. */
const htmlStart = (html: string, length: number): string =>
  Buffer.from(html.slice(0, length))
    .toString()
    .replace(/\ufffd$/, '')
    .replace(/<[^<>]{0,4096}$|&#?\w{0,32}$/, '');
