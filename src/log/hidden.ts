import { dropHidden, hiddenBytes } from '../common/untrusted-text.ts';
import { sequences } from './sequences.ts';
import { lineEnd, toBytes, toText } from './text.ts';

/** Drops hidden characters from settled lines, whose only sequences are colors, marks and links. */
export function dropHiddenFromLines(lines: string): string {
  let shown = '';
  let end = 0;
  for (let at = nextHidden(lines, 0); at >= 0; at = nextHidden(lines, end)) {
    const start = lines.lastIndexOf('\n', at) + 1;
    shown += lines.slice(end, start);
    end = lineEnd(lines, at);
    shown += dropFromLine(lines.slice(start, end));
  }
  return end === 0 ? lines : shown + lines.slice(end);
}

function nextHidden(lines: string, from: number): number {
  hidden.lastIndex = from;
  return hidden.exec(lines)?.index ?? -1;
}

/** A sequence separates the characters around it, so that none of its letters counts as one of theirs. */
const dropFromLine = (line: string): string =>
  toBytes(toText(line).split(parts).map(dropHidden).join(''));

const hidden = new RegExp(hiddenBytes, 'g');
const parts = new RegExp(`(${sequences.source})`);
