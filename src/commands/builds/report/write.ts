import { resolve } from 'node:path';
import type { Context } from '../../../context.ts';
import { writeWholeFile } from '../../write-whole-file.ts';
import type { Gathered } from './gather.ts';
import { reportHtml } from './html.ts';
import { byteWords } from './notes.ts';

export interface ReportTarget {
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
