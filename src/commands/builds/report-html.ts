/** The page of `builds report`, piece by piece. */
import type { Context } from '../../context.ts';
import { logFrame } from '../../pages/report/log-frame.tsx';
import { reportFrame } from '../../pages/report/report-page.tsx';
import { pageOf } from './report-body.ts';
import type { Gathered } from './report-gather.ts';
import { reportedLogs } from './report-logs.ts';

/** Bytes of HTML; nothing in them that this process knows as a secret. */
export async function* reportHtml(
  gathered: Gathered,
  maxBytes: number,
  context: Context,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = (text: string, encoding: BufferEncoding): Uint8Array =>
    Buffer.from(context.secrets.redact(text), encoding);
  const page = reportFrame(await pageOf(gathered, context));
  yield bytes(page.start, 'utf8');
  for (const { head, html } of reportedLogs(gathered, maxBytes)) {
    const frame = logFrame(head);
    yield bytes(frame.start, 'utf8');
    yield bytes(html, 'latin1');
    yield bytes(frame.end, 'utf8');
  }
  yield bytes(page.end, 'utf8');
}
