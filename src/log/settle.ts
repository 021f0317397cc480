import { isAscii, isUtf8 } from 'node:buffer';
import { hiddenBytes } from '../common/untrusted-text.ts';
import { dropHiddenFromLines } from './hidden.ts';
import { createLineBuffer } from './line-buffer.ts';
import { screenRows } from './screen.ts';
import { terminal } from './terminal.ts';
import type { Keep } from './sequences.ts';
import type { Stage } from './stage.ts';
import { scanBytes } from './scan-bytes.ts';
import { stampLines } from './stamp-lines.ts';
import { strip, type Stripped } from './strip-sequences.ts';
import type { Timestamps } from './timestamps.ts';

/**
 * Settles a log: every line as a terminal would leave it, in valid UTF-8, with no control character
 * but tab and newline, no hidden character out of place, and no sequence but those of `keep`. Colours keep their sequences where
 * nothing overwrote them.
 *
 * Most lines need nothing but some sequences taken out. The others are interpreted on a small screen, and so
 * are those above them that the cursor goes back to: up to `rows`, with the line it is on. So many
 * lines are buffered; for a log that is read while it grows 1 is the number.
 *
 * With `times`, what is pushed comes with them; what is left at the end does not.
 */
export function settle(keep: Keep = {}, rows = screenRows, times?: Timestamps): Stage<Uint8Array> {
  const blocks = createLineBuffer();
  const scan = scanBytes();
  const screen = terminal(keep, rows, times && ((lines) => times.push(lines)));
  /** Lines wait on the screen, so this stays true once a hidden character was read. */
  let hasHidden = false;
  const shown = (lines: string): string => (hasHidden ? dropHiddenFromLines(lines) : lines);

  return {
    push(chunk) {
      for (const block of blocks.push(chunk)) settleBlock(block);
      return shown(screen.take());
    },
    end() {
      settleBlock(blocks.end());
      return shown(screen.end());
    },
  };

  function settleBlock(block: Buffer): void {
    const bytes = isUtf8(block) ? block : Buffer.from(block.toString());
    hasHidden ||= !isAscii(bytes) && hiddenBytes.test(scan(bytes).text);
    for (let at = 0; at < bytes.length;) {
      if (screen.isCalm()) {
        const { lines, end } = stampAndStrip(bytes, at);
        if (lines !== '') screen.pass(lines);
        at = end;
      }
      if (at < bytes.length) at = interpretLine(bytes, at);
    }
  }

  /** Lines that need no other look go past the screen. */
  function stampAndStrip(bytes: Buffer, from: number): Stripped {
    const scanned = scan(bytes);
    if (times?.ahead.isReady() !== true || !screen.isBare()) return strip(scanned, from, keep);
    const { stamp, passed } = times.ahead;
    const { stamped, stripped } = stampLines(scanned, from, { keep, rows: rows - 1, stamp });
    if (stamped.end > from) {
      screen.passShown(stamped.lines);
      passed(stamped.time);
    }
    return stripped;
  }

  function interpretLine(bytes: Buffer, start: number): number {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline + 1;
    screen.interpret(bytes, start, end);
    return end;
  }
}
