import { isUtf8 } from 'node:buffer';
import { createLineBuffer } from './line-buffer.ts';
import { screenRows } from './screen.ts';
import { terminal } from './terminal.ts';
import type { Keep } from './sequences.ts';
import type { Stage } from './stage.ts';
import { stripper } from './strip-sequences.ts';

/**
 * Settles a log: every line as a terminal would leave it, in valid UTF-8, with no control character
 * but tab and newline, and no sequence but those of `keep`. Colours keep their sequences where
 * nothing overwrote them.
 *
 * Most lines need nothing but some sequences taken out. The others are interpreted on a small screen, and so
 * are those above them that the cursor goes back to: up to `rows`, with the line it is on. So many
 * lines are buffered; for a log that is read while it grows 1 is the number.
 */
export function settle(keep: Keep = {}, rows = screenRows): Stage<Uint8Array> {
  const blocks = createLineBuffer();
  const strip = stripper(keep);
  const screen = terminal(keep, rows);

  return {
    push(chunk) {
      for (const block of blocks.push(chunk)) settleBlock(block);
      return screen.take();
    },
    end() {
      settleBlock(blocks.end());
      return screen.end();
    },
  };

  function settleBlock(block: Buffer): void {
    const bytes = isUtf8(block) ? block : Buffer.from(block.toString());
    for (let at = 0; at < bytes.length;) {
      if (screen.isCalm()) {
        const { lines, end } = strip(bytes, at);
        if (lines !== '') screen.pass(lines);
        at = end;
      }
      if (at < bytes.length) at = interpretLine(bytes, at);
    }
  }

  function interpretLine(bytes: Buffer, start: number): number {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline + 1;
    screen.interpret(bytes, start, end);
    return end;
  }
}
