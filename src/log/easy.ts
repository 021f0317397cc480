import { simple, takeUnwanted, type Keep } from './sequences.ts';

/** BEL and ESC are left over where a sequence is odd; DEL is no control to `nextControl`. */
const leftOver = ['\x1b', '\x07', '\x7f'];

/** The control characters U+0080 to U+009F. */
const c1 = /\xc2[\x80-\x9f]/;

/**
 * Settles lines that hold no control characters but ESC and BEL, by taking sequences out. Gives
 * `undefined` where they hold more than that: they have to be played on a screen.
 */
export function easyLines(keep: Keep): (lines: string) => string | undefined {
  const take = takeUnwanted(keep);
  const keepsAll = Object.values(keep).includes(true);
  return (lines) => {
    const text = lines.replace(simple, '');
    if (
      leftOver.some((character) => text.includes(character)) ||
      (text.includes('\xc2') && c1.test(text))
    )
      return undefined;
    const settled = keepsAll ? take(lines) : text;
    return settled.includes('\r') ? settled.replace(/\r\r?\n/g, '\n') : settled;
  };
}
