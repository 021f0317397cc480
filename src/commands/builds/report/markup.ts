import { pageLines } from '../../../log/html/page-lines.ts';
import { fairShares } from '../../../triage/byte-budget.ts';
import { lastLines } from './tails.ts';

/** Lines that stand alone, as a byte string. */
export interface MarkupLog {
  readonly lines: string;
  /** What the anchors of its lines begin with. */
  readonly name: string;
  /** The last section is to be open. */
  readonly hasFailed: boolean;
}

/** A byte string. */
export interface LogMarkup {
  readonly html: string;
  /** How many lines there are. */
  readonly count: number;
  readonly isCut: boolean;
}

/** Logs as markup, made one at a time, when it is asked for. */
export interface LogsMarkup {
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
