import { dropHidden, hiddenBytes, escapeUnits } from '../common/untrusted-text.ts';
import { sequences } from './sequences.ts';
import { lineEnd, toBytes, toText } from './text.ts';
import type { Stage } from './stage.ts';

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

/** The letters in an escape sequence are not treated as neighbors of the characters around it. */
const dropFromLine = (line: string): string =>
  toBytes(toText(line).split(parts).map(dropHidden).join(''));

const hidden = new RegExp(hiddenBytes, 'g');
const parts = new RegExp(`(${sequences.source})`);

/** Escapes control and hidden characters in JSON text, where they only occur in strings. */
export function escapeJsonBytes(): Stage<Uint8Array> {
  let torn = '';
  return {
    push(chunk) {
      const bytes = torn + Buffer.from(chunk).toString('latin1');
      const end = bytes.length - (beginning.exec(bytes)?.[0].length ?? 0);
      torn = bytes.slice(end);
      return escape(bytes.slice(0, end));
    },
    end: () => torn,
  };
}

/** Matches UTF-8 hidden characters, and controls other than tab, newline and carriage return. */
const unwanted = new RegExp(
  `[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]|\\xc2[\\x80-\\x9f]|${hiddenBytes.source}`,
  'g',
);
const beginning = /(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})$/;

const escape = (bytes: string): string =>
  bytes.replace(unwanted, (character) => escapeUnits(toText(character)));
