import { settle } from '../settle.ts';
import { toText } from '../text.ts';
import type { Segment } from './log-index.ts';

/** The numbers of the lines of a segment in which the text is, in any case, colours or not. */
export function linesWith(
  text: string,
  { line }: Pick<Segment, 'line'>,
  bytes: Uint8Array,
): number[] {
  const wanted = text.toLowerCase();
  const stage = settle();
  const lines = toText(stage.push(bytes) + stage.end()).toLowerCase();
  const numbers: number[] = [];
  let number = line;
  let counted = 0;
  for (let at = lines.indexOf(wanted); at >= 0;) {
    number += newlines(lines, counted, at);
    numbers.push(number);
    const next = lines.indexOf('\n', at);
    if (next < 0) break;
    number += 1;
    counted = next + 1;
    at = lines.indexOf(wanted, counted);
  }
  return numbers;
}

function newlines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1))
    count += 1;
  return count;
}
