/** The page of `builds report`, piece by piece. */
import type { Context } from '../../../context.ts';
import { toText } from '../../../log/text.ts';
import { logFrame } from '../../../pages/report/log-frame.tsx';
import { redactHtml } from '../../../pages/report/redact-html.ts';
import { reportFrame } from '../../../pages/report/report-page.tsx';
import { fairShares } from '../../../triage/byte-budget.ts';
import { linkOf, pageOf } from './body.ts';
import { explained } from './findings.ts';
import { markupOfAnnotations } from './fit-annotations.ts';
import type { Gathered } from './gather.ts';
import { redactText } from './redact.ts';
import { markupOfLogs, reportedLogs } from './logs.ts';

/**
 * Bytes of HTML; nothing in them that this process knows as a secret, or that looks like one. Excerpts come first, annotations and
 * logs share what they leave of `maxBytes`.
 */
export async function* reportHtml(
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
