import { resolve } from 'node:path';
import type { Context } from '../../../context.ts';
import { writeWholeFile } from '../../write-whole-file.ts';
import type { Gathered } from './gather.ts';
import {
  byteWords,
  markupOfAnnotations,
  markupOfLogs,
  reportedLogs,
  type FittedAnnotations,
  omittedNote,
} from './html-parts.ts';
import { toText } from '../../../log/text.ts';
import {
  logFrame,
  logName,
  reportFrame,
  type ReportPage,
  ReportBody,
} from '../../../pages/report/report-page.tsx';
import { redactHtml } from '../../../pages/report/redact-html.ts';
import { fairShares } from '../../../triage/limits.ts';
import { explained, redactText, type Explained } from './findings.ts';
import { buildName } from '../../../api/refs.ts';
import { buildView, type BuildView } from '../../../pages/build/build-view.ts';
import { reportLink } from '../../../pages/page-document.tsx';
import { utcText } from '../../../pages/elements.tsx';
import { failureName } from '../../../triage/job-words.ts';
import { quoted } from '../../../triage/quoted.ts';
import type { Failure } from '../../../triage/report-resource.ts';
import { endingWords, retryWords } from '../../../triage/words.ts';

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
