import { resolve } from 'node:path';
import type { Context } from '../../../context.ts';
import { writeWholeFile } from '../../write-whole-file.ts';
import type { Gathered, KeptAnnotation, GatheredLog, ReportedLog } from './gather.ts';
import { toText } from '../../../log/text.ts';
import { logFrame, logName, type LogHead } from '../../../pages/report/log-frame.tsx';
import { redactHtml } from '../../../pages/report/redact-html.ts';
import { reportFrame, type ReportPage } from '../../../pages/report/report-page.tsx';
import { fairShares, byteLength } from '../../../triage/limits.ts';
import { explained, redactText, type Explained } from './findings.ts';
import { buildName } from '../../../api/refs.ts';
import { buildView, type BuildView } from '../../../pages/build/build-view.ts';
import { ReportBody, annotationMarkup } from '../../../pages/report/report-body.tsx';
import { reportLink } from '../../../pages/page-document.tsx';
import { utcText } from '../../../pages/time.tsx';
import { failureName, jobLabel } from '../../../triage/job-words.ts';
import { quoted } from '../../../triage/quoted.ts';
import type { Failure } from '../../../triage/report-resource.ts';
import { endingWords, retryWords } from '../../../triage/words.ts';
import { safeHtml } from '../../../pages/build/safe-html.ts';
import { cutHtml } from '../../../pages/report/cut-html.ts';
import { byWeight } from '../../../triage/annotations.ts';
import { markStart } from '../../../log/time-marks.ts';
import { logCommand } from '../../../triage/next-commands.ts';
import { isFailedJob } from '../../../watch/outcome.ts';
import { pageLines } from '../../../log/html/page-lines.ts';
import { lastLines } from './tails.ts';
import type { ReadResult } from '../../../triage/report.ts';

interface ReportTarget {
  /** Undefined for standard output. */
  readonly file: string | undefined;
  /** In a browser, when it is there. */
  readonly open: boolean;
  /** Of excerpts, annotations and logs, all together. */
  readonly maxBytes: number;
}

/** Writes the page. What could not be read is said in its place, and on standard error. */
export async function writeReport(
  gathered: Gathered,
  { file, open, maxBytes }: ReportTarget,
  context: Context,
): Promise<void> {
  const { out, messages } = context;
  for (const { result } of [...gathered.logs, { result: gathered.annotations }])
    if ('error' in result) messages.warn(result.error);
  const html = reportHtml(gathered, maxBytes, context);
  if (file === undefined) {
    for await (const piece of html) await out.write(piece);
    return;
  }
  let size = 0;
  const counted = async function* () {
    for await (const piece of html) {
      size += piece.length;
      yield piece;
    }
  };
  await writeWholeFile(file, counted(), context);
  messages.note(`wrote ${file}, ${byteWords(size)}`);
  if (!open) return;
  const { openFile } = await import('../../../terminal/browser.ts');
  await openFile(resolve(context.cwd, file), context.env);
}

// The page of `builds report`, piece by piece.

/**
 * Bytes of HTML; nothing in them that this process knows as a secret, or that looks like one. Excerpts come first, annotations and
 * logs share what they leave of `maxBytes`.
 */
async function* reportHtml(
  gathered: Gathered,
  maxBytes: number,
  context: Context,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = (html: string): Uint8Array =>
    Buffer.from(redactHtml(html, (text) => redactText(text, context)));
  const failed = await explained(gathered, maxBytes, context);
  const room = Math.max(0, maxBytes - failed.size);
  const logs = markupOfLogs(gathered, room);
  const annotations = markupOfAnnotations(gathered, linkOf(gathered));
  const [forAnnotations = 0, forLogs = 0] = fairShares([annotations.wanted, logs.wanted], room);
  const page = reportFrame(pageOf(gathered, failed, annotations.fit(forAnnotations), context));
  yield bytes(page.start);
  for (const { head, html } of reportedLogs(gathered, logs.fit(forLogs))) {
    const frame = logFrame(head);
    yield bytes(frame.start);
    yield bytes(toText(html));
    yield bytes(frame.end);
  }
  yield bytes(page.end);
}

/** The report but for its logs. */
export function pageOf(
  gathered: Gathered,
  { failures, more }: Explained,
  { markup, omitted }: FittedAnnotations,
  context: Context,
): ReportPage {
  const { ref, build, logs, annotations } = gathered;
  const now = context.clock.now();
  const name = buildName(ref);
  const body = ReportBody({
    view: viewOf(gathered, now),
    failures: failures.map((one) => ({
      ...one,
      name: failureName(one, build),
      ending: endingOf(one),
    })),
    more,
    annotations: {
      markup,
      note: omittedNote(omitted),
      command: `cictl annotations list ${quoted(name)}`,
    },
    annotationsError: 'error' in annotations ? annotations.error : undefined,
    withLog: new Set(logs.map(({ job }) => job.id ?? '')),
  });
  const origin = `Written by cictl ${context.version} at ${utcText(new Date(now).toISOString())}`;
  return { title: name, crumbs: [{ text: name, href: reportLink(build.web_url) }], origin, body };
}

/** Where addresses of the service lead from the page. */
const linkOf =
  ({ build }: Gathered) =>
  (address: string | null | undefined): string | undefined =>
    reportLink(address, build.web_url);

/** Its state and whether it counts stand before it. */
const endingOf = (failure: Failure): string => {
  const [, ...words] = endingWords(failure).split(', ');
  const own = words.filter((word) => word !== 'soft failure').join(', ');
  return [own, retryWords(failure.retries)].filter((part) => part !== '').join('; ');
};

/** Nothing can be changed; of a job that has its log here the link leads to that. */
function viewOf(gathered: Gathered, now: number): BuildView {
  const link = linkOf(gathered);
  const withLog = new Set(gathered.logs.map(({ job }) => job.id));
  return buildView(
    gathered.build,
    [],
    { now, link, formToken: undefined, isFile: true },
    {
      jobHref: ({ id, web_url: address }) =>
        withLog.has(id) ? `#${logName(id ?? '')}` : link(address),
    },
  );
}

interface AnnotationMarkup {
  /** Bytes of all that could be shown. */
  readonly wanted: number;
  /** As much of them as `most` bytes have room for. */
  fit(most: number): FittedAnnotations;
}

interface FittedAnnotations {
  readonly markup: string;
  /** How many are not there at all. */
  readonly omitted: number;
}

type Link = (address: string | null | undefined) => string | undefined;

/** Annotations as markup: the weightiest stay, small ones whole, of large ones the beginning. */
function markupOfAnnotations(
  { ref, annotations: read }: Pick<Gathered, 'ref' | 'annotations'>,
  link: Link,
): AnnotationMarkup {
  const { annotations, more } = 'value' in read ? read.value : { annotations: [], more: 0 };
  const made = annotations.map((annotation) => makeOne(annotation, link, buildName(ref)));
  return {
    wanted: made.reduce((sum, { size }) => sum + size, 0),
    fit(most) {
      const chosen = weightiest(made, most);
      const shares = fairShares(
        chosen.map(({ size }) => size),
        most,
      );
      const markup = chosen.map((one, at) => one.within(shares[at] ?? 0)).join('');
      return { markup, omitted: more + made.length - chosen.length };
    },
  };
}

interface Made {
  readonly annotation: KeptAnnotation;
  readonly size: number;
  within(most: number): string;
}

function makeOne(annotation: KeptAnnotation, link: Link, build: string): Made {
  const body = safeHtml(annotation.body_html, link);
  const note = `The rest of this annotation of ${byteWords(annotation.size)} is left out.`;
  const command = viewCommand(annotation, build);
  const whole = annotationMarkup({ annotation, body, ...(annotation.isCut && { note, command }) });
  return {
    annotation,
    size: byteLength(whole),
    within(most) {
      if (byteLength(whole) <= most) return whole;
      const frame = annotationMarkup({ annotation, body: '', note, command });
      const start = cutHtml(body, most - byteLength(frame));
      return annotationMarkup({ annotation, body: start, note, command });
    },
  };
}

/** As many of the weightiest as can say something each, in the order of the service. */
function weightiest(made: readonly Made[], most: number): Made[] {
  const chosen = new Set<Made>();
  let left = most;
  for (const one of [...made].sort((a, b) => byWeight(a.annotation, b.annotation))) {
    left -= Math.min(one.size, least);
    if (left < 0) break;
    chosen.add(one);
  }
  return made.filter((one) => chosen.has(one));
}

/** Bytes in which the frame of an annotation has room for some lines. */
const least = 4096;

/** Undefined where its context cannot be typed, or is not there as a whole. */
const viewCommand = ({ context }: KeptAnnotation, build: string): string | undefined =>
  context == null || context === '' || /[\x00-\x1f\x7f-\x9f]|… \[truncated\]$/.test(context)
    ? undefined
    : `cictl annotations view ${quoted(context)} --build ${quoted(build)}`;

interface PrintedLog {
  readonly head: LogHead;
  /** Its lines, as a byte string. */
  readonly html: string;
}

/** The lines of the logs; of all together at most `most` bytes will be asked for. */
const markupOfLogs = ({ logs, tails }: Gathered, most: number): LogsMarkup =>
  measureLogs(
    logs.length,
    (at) => ({ lines: tails.linesOf(at), name: `l${at}-`, hasFailed: isOpen(logs[at]) }),
    most,
  );

/** The logs of a report, made as they are asked for. */
function* reportedLogs(
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

/** Lines that stand alone, as a byte string. */
interface MarkupLog {
  readonly lines: string;
  /** What the anchors of its lines begin with. */
  readonly name: string;
  /** The last section is to be open. */
  readonly hasFailed: boolean;
}

/** A byte string. */
interface LogMarkup {
  readonly html: string;
  /** How many lines there are. */
  readonly count: number;
  readonly isCut: boolean;
}

/** Logs as markup, made one at a time, when it is asked for. */
interface LogsMarkup {
  /** Bytes of all together. */
  readonly wanted: number;
  /**
   * The logs in at most `most` bytes together: of each as many of its last lines as its fair share has
   * room for.
   */
  fit(most: number): (at: number) => LogMarkup;
}

/** `most`: what they may take at most. */
export function measureLogs(
  count: number,
  logOf: (at: number) => MarkupLog,
  most: number,
): LogsMarkup {
  const made = new Map<number, string>();
  let total = 0;
  const sizes = Array.from({ length: count }, (_, at) => {
    const html = markupOf(logOf(at));
    total += html.length;
    // Making it again takes longer than remembering what will be on the page anyway.
    if (total <= most) made.set(at, html);
    return html.length;
  });
  return {
    wanted: total,
    fit(bytes) {
      const shares = fairShares(sizes, bytes);
      return (at) => fit(logOf(at), shares[at] ?? 0, made.get(at));
    },
  };
}

/** How much a line grows differs from line to line, so that the first guess may be too much. */
function fit(log: MarkupLog, most: number, made = markupOf(log)): LogMarkup {
  let { lines } = log;
  let html = made;
  for (let guess = 1; html.length > most && lines !== ''; guess *= 0.95) {
    lines = lastLines(lines, Math.floor((lines.length * most * guess) / html.length) - 1);
    html = markupOf({ ...log, lines });
  }
  return { html, count: lines.split('\n').length - 1, isCut: lines !== log.lines };
}

function markupOf({ lines, name, hasFailed }: MarkupLog): string {
  const page = pageLines(hasFailed, name);
  return page.write(lines) + page.end();
}

/** What a reader of a log has to know: that lines are left out, or why there are none. */
function logNotes(
  result: ReadResult<ReportedLog>,
  { count, isCut }: { readonly count: number; readonly isCut: boolean },
): string[] {
  if ('error' in result) return [result.error];
  if (!isCut) return count === 0 ? ['It has no lines.'] : [];
  if (count === 0) return ['There is no room for its lines.'];
  const lines = count === 1 ? 'the last line' : `the last ${count} lines, numbered from 1`;
  return [`Earlier lines are left out${ofSize(result.value.size)}. Here are ${lines}.`];
}

const ofSize = (size: number | undefined): string =>
  size === undefined ? '' : ` of a log of ${byteWords(size)}`;

/** Of annotations that are not on the page; undefined where all are. */
function omittedNote(count: number): string | undefined {
  if (count === 0) return undefined;
  const what = count === 1 ? '1 annotation is' : `${count} annotations are`;
  return `${what} left out: there is no room for ${count === 1 ? 'it' : 'them'}.`;
}

/** `812 bytes`, `3.4 MB`. */
function byteWords(count: number): string {
  if (count < 1000) return `${count} ${count === 1 ? 'byte' : 'bytes'}`;
  const [size, unit] = count < 1_000_000 ? [count / 1000, 'kB'] : [count / 1_000_000, 'MB'];
  return `${size.toFixed(size < 10 ? 1 : 0)} ${unit}`;
}
