import { settle } from '../settle.ts';
import { chain } from '../stage.ts';
import { plain, styleAfter, transition, type Style } from '../style.ts';
import { startOfLast } from '../text.ts';
import type { Ending } from './find-segments.ts';
import { oneMarkALine } from '../time-marks.ts';

export interface SettledSegment {
  /** Lines with colours, links and one mark a line, which begin with no style. */
  readonly lines: string;
  /** What the next segment begins with. */
  readonly after: Style;
}

/** The lines of a segment by itself. `before`: the style that it begins with. */
export function settleSegment(
  bytes: Uint8Array,
  { before, ending }: { readonly before: Style; readonly ending: Ending },
): SettledSegment {
  const stage = chain(settle({ marks: true, colours: true, links: true }), oneMarkALine());
  const start = stage.push(Buffer.from(transition(plain, before)));
  const shown = start + stage.push(bytes);
  if (ending !== 'calm') {
    const settled = shown + stage.end();
    const lines = ending === 'open' || settled.endsWith('\n') ? settled : `${settled}\n`;
    return { lines, after: styleAfter(plain, lines) };
  }
  // A character more shows the style of what follows: without text, sequences may leave no trace.
  const lines = shown + stage.push(probe) + stage.end();
  return {
    lines: lines.slice(0, startOfLast(lines, 1)),
    after: styleAfter(plain, lines.slice(0, lines.lastIndexOf('x'))),
  };
}

const probe = Buffer.from('x');
