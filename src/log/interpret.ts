import { columns } from './row.ts';
import { interpretSequence } from './interpret-sequence.ts';
import { moveTo, newline } from './screen-moves.ts';
import type { Screen } from './screen.ts';
import { writeAscii, writeCharacter, writeTab } from './write.ts';

/** Interprets bytes in valid UTF-8, whose sequences are whole, on the screen. */
export function interpret(screen: Screen, bytes: Buffer, start = 0, end = bytes.length): void {
  for (let at = start; at < end;) {
    const byte = bytes[at] as number;
    if (byte >= 0x20 && byte < 0x7f) {
      const from = at;
      do at += 1;
      while (at < end && (bytes[at] as number) >= 0x20 && (bytes[at] as number) < 0x7f);
      writeAscii(screen, bytes, from, at);
    } else if (byte === 0x1b) at = interpretSequence(screen, bytes, at, end);
    else if (byte < 0x80) {
      interpretControl(screen, byte);
      at += 1;
    } else {
      const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      const code = codePoint(bytes, at, size);
      // C1 controls are dropped, as DEL and most controls of ASCII are.
      if (code >= 0xa0) writeCharacter(screen, code);
      at += size;
    }
  }
}

function interpretControl(screen: Screen, byte: number): void {
  if (byte === 0x0a) newline(screen);
  else if (byte === 0x0d) screen.x = 0;
  else if (byte === 0x08) moveTo(screen, Math.min(screen.x, columns - 1) - 1);
  else if (byte === 0x09) writeTab(screen);
}

/** Of a character beyond ASCII in `size` bytes. */
function codePoint(bytes: Uint8Array, at: number, size: number): number {
  let code = (bytes[at] as number) & (0xff >> (size + 1));
  for (let next = at + 1; next < at + size; next++) {
    code = (code << 6) | ((bytes[next] as number) & 0x3f);
  }
  return code;
}
