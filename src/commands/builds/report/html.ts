/** The page of `builds report`, written in chunks. */
import { resolve } from 'node:path';
import { buildName } from '../../../api/refs.ts';
import type { Context } from '../../../context.ts';
import { pageLines } from '../../../log/html/page-lines.ts';
import { toText } from '../../../log/text.ts';
import { markStart } from '../../../log/time-marks.ts';
import { buildView } from '../../../pages/build/build-view.ts';
import { safeHtml } from '../../../pages/build/safe-html.ts';
import { reportLink } from '../../../pages/page-document.tsx';
import { cutHtml } from '../../../pages/report/cut-html.ts';
import { logFrame, logName, type LogHead } from '../../../pages/report/report-page.tsx';
import { redactHtml } from '../../../pages/report/redact-html.ts';
import { annotationMarkup, ReportBody } from '../../../pages/report/report-page.tsx';
import { reportFrame, type ReportPage } from '../../../pages/report/report-page.tsx';
import { utcText } from '../../../pages/elements.tsx';
import { byWeight } from '../../../triage/annotations.ts';
import { failureName, jobLabel } from '../../../triage/job-words.ts';
import { byteLength, fairShares } from '../../../triage/limits.ts';
import { logCommand } from '../../../triage/next-commands.ts';
import { quoted } from '../../../triage/quoted.ts';
import type { Failure } from '../../../triage/report-resource.ts';
import type { ReadResult } from '../../../triage/report.ts';
import { endingWords, retryWords } from '../../../triage/words.ts';
import { isFailedJob } from '../../../watch/outcome.ts';
import { writeWholeFile } from '../../write-whole-file.ts';
import { explained, redactText, type Explained } from './findings.ts';
import type { Gathered, GatheredLog, KeptAnnotation, ReportedLog } from './gather.ts';
import { lastLines } from './tails.ts';

interface ReportTarget {
  readonly file: string | undefined;
  readonly open: boolean;
  /** Combined limit for excerpts, annotations and logs. */
  readonly maxBytes: number;
}

/** Warns about parts that could not be read. */
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
    for await (const chunk of html) await out.write(chunk);
    return;
  }
  let size = 0;
  const counted = async function* () {
    for await (const chunk of html) {
      size += chunk.length;
      yield chunk;
    }
  };
  await writeWholeFile(file, counted(), context);
  messages.note(`wrote ${file} (${byteWords(size)})`);
  if (!open) return;
  const { openFile } = await import('../../../terminal/browser.ts');
  await openFile(resolve(context.cwd, file), context.env);
}

/** Excerpts have priority. Annotations and logs share the bytes that are left. */
async function* reportHtml(
  gathered: Gathered,
  maxBytes: number,
  context: Context,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = (html: string): Uint8Array =>
    Buffer.from(redactHtml(html, (text) => redactText(text, context)));
  const failed = await explained(gathered, maxBytes, context);
  const room = Math.max(0, maxBytes - failed.size);
  const logs = measureLogs(gathered.logs.length, (at) => logLines(gathered, at), room);
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

function pageOf(
  gathered: Gathered,
  { failures, more }: Explained,
  { markup, omitted }: FittedAnnotations,
  context: Context,
): ReportPage {
  const { ref, build, logs, annotations } = gathered;
  const now = context.clock.now();
  const name = buildName(ref);
  const link = linkOf(gathered);
  const withLog = new Set(logs.map(({ job }) => job.id ?? ''));
  const body = ReportBody({
    view: buildView(
      build,
      [],
      { now, link, formToken: undefined, isFile: true },
      {
        jobHref: ({ id, web_url: url }) =>
          withLog.has(id ?? '') ? `#${logName(id ?? '')}` : link(url),
      },
    ),
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
    withLog,
  });
  const origin = `Written by cictl ${context.version} at ${utcText(new Date(now).toISOString())}`;
  return { title: name, crumbs: [{ text: name, href: reportLink(build.web_url) }], origin, body };
}

type Link = (url: string | null | undefined) => string | undefined;

/** Converts the service's URLs to links that work on the report page. */
const linkOf =
  ({ build }: Gathered): Link =>
  (url) =>
    reportLink(url, build.web_url);

/** Describes how the job ended, without its state and "soft failure" (shown elsewhere). */
const endingOf = (failure: Failure): string => {
  const [, ...words] = endingWords(failure).split(', ');
  const own = words.filter((word) => word !== 'soft failure').join(', ');
  return [own, retryWords(failure.retries)].filter((part) => part !== '').join('; ');
};

interface FittedAnnotations {
  readonly markup: string;
  /** Number of annotations that were omitted because of the limit. */
  readonly omitted: number;
}

/**
 * Annotations as markup. `wanted` is the size of all of them in bytes. `fit` shortens large
 * annotations and drops the least important ones, so that the result has at most `most` bytes.
 */
function markupOfAnnotations(
  { ref, annotations: read }: Pick<Gathered, 'ref' | 'annotations'>,
  link: Link,
) {
  const { annotations, more } = 'value' in read ? read.value : { annotations: [], more: 0 };
  const made = annotations.map((annotation) => makeOne(annotation, link, buildName(ref)));
  return {
    wanted: made.reduce((sum, { size }) => sum + size, 0),
    fit(most: number): FittedAnnotations {
      const chosen = mostImportant(made, most);
      const sizes = chosen.map(({ size }) => size);
      const shares = fairShares(sizes, most);
      const markup = chosen.map((one, at) => one.within(shares[at] ?? 0)).join('');
      return { markup, omitted: more + made.length - chosen.length };
    },
  };
}

interface MadeAnnotation {
  readonly annotation: KeptAnnotation;
  readonly size: number;
  within(most: number): string;
}

function makeOne(annotation: KeptAnnotation, link: Link, build: string): MadeAnnotation {
  const body = safeHtml(annotation.body_html, link);
  const note = `Truncated: the full annotation is ${byteWords(annotation.size)}.`;
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

/** Chooses as many annotations as fit with `leastBytes` each. Keeps the service's order. */
function mostImportant(made: readonly MadeAnnotation[], most: number): MadeAnnotation[] {
  const chosen = new Set<MadeAnnotation>();
  let left = most;
  for (const one of [...made].sort((a, b) => byWeight(a.annotation, b.annotation))) {
    left -= Math.min(one.size, leastBytes);
    if (left < 0) break;
    chosen.add(one);
  }
  return made.filter((one) => chosen.has(one));
}

/** Enough bytes for the border of an annotation and a few lines of text. */
const leastBytes = 4096;

const viewCommand = ({ context }: KeptAnnotation, build: string): string | undefined =>
  context == null || context === '' || /[\x00-\x1f\x7f-\x9f]|… \[truncated\]$/.test(context)
    ? undefined
    : `cictl annotations view ${quoted(context)} --build ${quoted(build)}`;

function omittedNote(count: number): string | undefined {
  if (count === 0) return undefined;
  const what = count === 1 ? '1 annotation is' : `${count} annotations are`;
  return `${what} omitted because the report is full.`;
}

/** Yields the logs of a report one at a time. `html` is a byte string. */
function* reportedLogs(
  { ref, build, logs, tails }: Gathered,
  markupOf: (at: number) => LogMarkup,
): Generator<{ readonly head: LogHead; readonly html: string }, void, undefined> {
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
        ...(job.retried === true ? ['This job was retried.'] : []),
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

interface LogLines {
  /** Complete lines, as a byte string. */
  readonly lines: string;
  /** Prefix for the anchors of the log lines. */
  readonly name: string;
  /** Whether the job failed. If so, the last section of its log is expanded. */
  readonly hasFailed: boolean;
}

const logLines = ({ logs, tails }: Gathered, at: number): LogLines => ({
  lines: tails.linesOf(at),
  name: `l${at}-`,
  hasFailed: isOpen(logs[at]),
});

interface LogMarkup {
  /** As a byte string. */
  readonly html: string;
  readonly count: number;
  readonly isCut: boolean;
}

/**
 * Logs as markup, created only when needed. `wanted` is the size of all logs in bytes. `fit` gives
 * each log a fair share and keeps as many of its last lines as fit. `fit` is never called with more
 * than `most` bytes.
 */
export function measureLogs(count: number, logOf: (at: number) => LogLines, most: number) {
  const made = new Map<number, string>();
  let total = 0;
  const sizes = Array.from({ length: count }, (_, at) => {
    const html = markupOf(logOf(at));
    total += html.length;
    // Keeps markup that will certainly be used, so that it is not created twice.
    if (total <= most) made.set(at, html);
    return html.length;
  });
  return {
    wanted: total,
    fit(bytes: number): (at: number) => LogMarkup {
      const shares = fairShares(sizes, bytes);
      return (at) => fitLog(logOf(at), shares[at] ?? 0, made.get(at));
    },
  };
}

/** Markup lengthens some lines more than others, so the first estimate may be too large. */
function fitLog(log: LogLines, most: number, made = markupOf(log)): LogMarkup {
  let { lines } = log;
  let html = made;
  for (let guess = 1; html.length > most && lines !== ''; guess *= 0.95) {
    lines = lastLines(lines, Math.floor((lines.length * most * guess) / html.length) - 1);
    html = markupOf({ ...log, lines });
  }
  return { html, count: lines.split('\n').length - 1, isCut: lines !== log.lines };
}

function markupOf({ lines, name, hasFailed }: LogLines): string {
  const page = pageLines(hasFailed, name);
  return page.write(lines) + page.end();
}

function logNotes(
  result: ReadResult<ReportedLog>,
  { count, isCut }: Pick<LogMarkup, 'count' | 'isCut'>,
): string[] {
  if ('error' in result) return [result.error];
  if (!isCut) return count === 0 ? ['The log is empty.'] : [];
  if (count === 0) return ['The log is omitted because the report is full.'];
  const { size } = result.value;
  const lines =
    count === 1 ? 'only the last line' : `only the last ${count} lines, numbered from 1`;
  const of = size === undefined ? '' : ` of ${byteWords(size)}`;
  return [`Showing ${lines}${of}.`];
}

/** Formats a size: `812 bytes`, `3.4 MB`. */
function byteWords(count: number): string {
  if (count < 1000) return `${count} ${count === 1 ? 'byte' : 'bytes'}`;
  const [size, unit] = count < 1_000_000 ? [count / 1000, 'kB'] : [count / 1_000_000, 'MB'];
  return `${size.toFixed(size < 10 ? 1 : 0)} ${unit}`;
}
