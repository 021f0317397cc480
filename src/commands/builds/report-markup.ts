import { pageLines } from '../../log/html/page-lines.ts';
import { fairShares } from '../../triage/byte-budget.ts';
import { lastLines } from './report-tails.ts';

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

/**
 * Logs as markup, which together takes at most `total` bytes: of each as many of its last lines as
 * its fair share has room for. Made one at a time, when it is asked for.
 */
export function fitMarkup(
  count: number,
  logOf: (at: number) => MarkupLog,
  total: number,
): (at: number) => LogMarkup {
  const sizes = Array.from({ length: count }, (_, at) => markupOf(logOf(at)).length);
  const shares = fairShares(sizes, total);
  return (at) => fit(logOf(at), shares[at] ?? 0);
}

/** How much a line grows differs from line to line, so that the first guess may be too much. */
function fit(log: MarkupLog, most: number): LogMarkup {
  let { lines } = log;
  let html = markupOf(log);
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
