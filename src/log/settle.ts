import { isUtf8 } from 'node:buffer';
import { wholeLines } from './blocks.ts';
import { nextControl } from './controls.ts';
import { easyLines } from './easy.ts';
import { screenRows } from './screen.ts';
import { terminal } from './terminal.ts';
import type { Keep } from './sequences.ts';
import type { Stage } from './stage.ts';
import { eachLine } from './text.ts';

/**
 * Settles a log: every line as a terminal would leave it, in valid UTF-8, with no control character
 * but tab and newline, and no sequence but those of `keep`. Colours keep their sequences where
 * nothing overwrote them.
 *
 * Most lines need nothing but a pattern replaced. The others are played on a small screen, and so
 * are those above them that the cursor goes back to: up to `rows`, with the line it is on. So many
 * lines are held back; for a log that is read while it grows 1 is the number.
 */
export function settle(keep: Keep = {}, rows = screenRows): Stage<Uint8Array> {
  const blocks = wholeLines();
  const easy = easyLines(keep);
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
    let start = 0;
    while (start < bytes.length) {
      if (!screen.isCalm()) {
        start = playLine(bytes, start);
        continue;
      }
      const control = nextControl(bytes, start);
      const end = control < 0 ? bytes.length : lineStart(bytes, start, control);
      if (end > start) settleRun(bytes.toString('latin1', start, end));
      start = control < 0 ? end : playLine(bytes, end);
    }
  }

  /** Lines without control characters: as a whole where the pattern leaves nothing over. */
  function settleRun(run: string): void {
    const settled = easy(run);
    if (settled !== undefined) screen.pass(settled);
    else settleOneByOne(run);
  }

  function settleOneByOne(run: string): void {
    for (const line of eachLine(run)) {
      const one = screen.isCalm() ? easy(line) : undefined;
      if (one === undefined) screen.play(line);
      else screen.pass(one);
    }
  }

  function playLine(bytes: Buffer, start: number): number {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline + 1;
    screen.play(bytes.toString('latin1', start, end));
    return end;
  }
}

function lineStart(bytes: Buffer, least: number, at: number): number {
  return at === least ? least : Math.max(least, bytes.lastIndexOf(0x0a, at - 1) + 1);
}
