import { windowLines } from '../html/window-lines.ts';
import { settle } from '../settle.ts';
import { chain } from '../stage.ts';
import { plain } from '../style.ts';
import { startOfLast, toText } from '../text.ts';
import { oneMarkALine } from '../time-marks.ts';

/**
 * The last lines of a log of which only the last bytes are given, as markup. They have no numbers, which nobody
 * knows before all of the log is read; what began in a line that is not whole is left out.
 */
export function lastLines(bytes: Uint8Array, most: number): string {
  const stage = chain(settle({ marks: true, colours: true, links: true }), oneMarkALine());
  const settled = stage.push(bytes.subarray(bytes.indexOf(0x0a) + 1)) + stage.end();
  const lines = settled.slice(startOfLast(settled, most));
  return toText(windowLines({ lines, first: 1, before: plain }).replace(numbers, '<div$1>'));
}

/** Of our own alone: what was printed has no element. */
const numbers = /<div id="L\d+"( hidden)?>(?:<a [^>]*>\d+<\/a>)?/g;
